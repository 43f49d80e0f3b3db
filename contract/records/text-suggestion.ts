import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { TEXT_SUGGESTION_STATUSES } from '../vocabulary.ts';

/** A change of one of an agent's texts that its client suggests. */
export const textSuggestionRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id,
    clientName: z.string(),
    agentId: id,
    agentName: z.string(),
    /** The setting it changes, with its label and type in the template. */
    key: z.string(),
    label: z.string(),
    settingType: z.string(),
    /** The agent's text when the change was suggested. */
    before: z.string(),
    /** The agent's text now; differs from `before` when the text was changed since. */
    present: z.string(),
    text: z.string(),
    note: z.string(),
    status: z.enum(TEXT_SUGGESTION_STATUSES),
    suggestedByName: z.string(),
    decidedByName: z.string().nullable(),
    decisionNote: z.string().nullable(),
    decidedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'TextSuggestion' });
