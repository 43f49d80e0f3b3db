import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, optionalText, page, pageQuery } from '../primitives.ts';
import { textSuggestionRecord } from '../records/text-suggestion.ts';
import { LIMITS, TEXT_SUGGESTION_STATUSES } from '../vocabulary.ts';
import { anyone, clientWrite, partnerWrite } from './access.ts';

const tag = 'agents';
const one = { 200: textSuggestionRecord };

const filters = {
  status: z.enum(TEXT_SUGGESTION_STATUSES).optional(),
  workflowId: id.optional(),
  clientId: id.optional(),
  partnerId: id.optional(),
};

const listTextSuggestions = defineRoute({
  method: 'GET',
  path: '/text-suggestions',
  tag,
  summary: 'List suggested texts in scope, newest first',
  access: anyone,
  query: pageQuery.extend(filters),
  reply: { 200: page(textSuggestionRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const textSuggestionRoutes = {
  suggestText: defineRoute({
    method: 'POST',
    path: '/clients/me/agents/:id/text-suggestions',
    tag,
    summary: 'Suggest another text for one of the client’s agents',
    access: clientWrite,
    params: idParams,
    body: z
      .object({
        key: z.string().trim().min(1).max(80),
        text: optionalText(4000),
        note: optionalText(LIMITS.textSuggestionNoteMax).default(''),
      })
      .meta({
        examples: [{ key: 'message', text: 'Sorry we missed your call. Book a visit here: {bookingUrl}', note: 'Shorter, please.' }],
      }),
    reply: { 201: textSuggestionRecord },
    errors: ['not_found', 'validation_failed', 'already_pending', 'suggestion_limit_reached', 'stale_record'],
    audit: 'text_suggestion.created',
  }),
  listTextSuggestions,
  exportTextSuggestions: csvOf(listTextSuggestions),
  applyTextSuggestion: defineRoute({
    method: 'POST',
    path: '/text-suggestions/:id/apply',
    tag,
    summary: 'Make the suggested text the agent’s',
    access: partnerWrite,
    params: idParams,
    /** `replaces`: the agent's text as the caller saw it; another one refuses with `stale_record`. */
    body: z.object({ replaces: z.string().max(4000) }),
    reply: one,
    errors: ['not_found', 'invalid_state', 'stale_record', 'validation_failed'],
    audit: 'text_suggestion.applied',
  }),
  declineTextSuggestion: defineRoute({
    method: 'POST',
    path: '/text-suggestions/:id/decline',
    tag,
    summary: 'Decline a suggested text; the client reads the note',
    access: partnerWrite,
    params: idParams,
    body: z.object({ note: optionalText(LIMITS.textSuggestionNoteMax).default('') }),
    reply: one,
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'text_suggestion.declined',
  }),
  withdrawTextSuggestion: defineRoute({
    method: 'POST',
    path: '/text-suggestions/:id/withdraw',
    tag,
    summary: 'Take a suggested text back',
    access: clientWrite,
    params: idParams,
    reply: one,
    errors: ['not_found', 'invalid_state'],
    audit: 'text_suggestion.withdrawn',
  }),
};
