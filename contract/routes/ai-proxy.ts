import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, text } from '../primitives.ts';
import { aiCompletion, aiMargin, aiModel, aiRate, aiStaffRate } from '../records/ai.ts';
import { AI_PROVIDERS, LIMITS } from '../vocabulary.ts';
import { anyoneWrite, staff, staffOrPartner, staffWrite } from './access.ts';

const tag = 'ai-proxy';
const amount = z.number().min(0).max(1_000_000);
const margins = { from: z.iso.date().optional(), to: z.iso.date().optional() };

const listAiMargins = defineRoute({
  method: 'GET',
  path: '/ai-proxy/margins',
  tag,
  summary: 'Get what calls of chatbots and the API on platform keys earned and cost, by day and model; without the tokens of runs',
  access: staff,
  query: z.object(margins),
  reply: { 200: z.array(aiMargin) },
  errors: ['invalid_query'],
});

export const aiProxyRoutes = {
  listAiModels: defineRoute({
    method: 'GET',
    path: '/ai-proxy/models',
    tag,
    summary: 'List the models that the key used for a client can reach, with their rates',
    access: staffOrPartner,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: z.array(aiModel) },
    errors: ['not_found', 'scope_forbidden', 'invalid_query', 'validation_failed'],
  }),
  completeChat: defineRoute({
    method: 'POST',
    path: '/ai-proxy/chat',
    tag,
    summary: 'Call a language model; with `stream` the reply is an event stream of `delta` and a last `completion`',
    access: anyoneWrite,
    body: z.object({
      provider: z.enum(AI_PROVIDERS),
      model: text(100),
      messages: z
        .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1).max(LIMITS.aiTextMax) }))
        .min(1)
        .max(LIMITS.aiMessagesMax),
      clientId: id.optional(),
      /** Staff name the agency whose key is used. */
      partnerId: id.optional(),
      maxTokens: z.number().int().min(1).max(LIMITS.aiOutputTokensMax).optional(),
      stream: z.boolean().optional(),
    }),
    reply: { 200: aiCompletion },
    streams: { when: 'stream', events: { delta: z.object({ text: z.string() }), completion: aiCompletion } },
    errors: [
      'validation_failed',
      'not_found',
      'account_suspended',
      'quota_exceeded',
      'plan_feature_required',
      'partner_role_forbidden',
      'role_forbidden',
      'scope_forbidden',
      'rate_limited',
      'no_usable_key',
      'ai_key_refused',
      'ai_unavailable',
    ],
    changesNothing: 'The call is an entry of the usage ledger and of the uses of the key.',
  }),
  listAiRates: defineRoute({
    method: 'GET',
    path: '/ai-proxy/rates',
    tag,
    summary: 'List the published rates: credits for 1,000 tokens on a platform key',
    access: staffOrPartner,
    reply: { 200: z.array(aiRate) },
    errors: [],
  }),
  listAiStaffRates: defineRoute({
    method: 'GET',
    path: '/ai-proxy/rates/versions',
    tag,
    summary: 'List all versions of the rates, with what the tokens cost the platform',
    access: staff,
    reply: { 200: z.array(aiStaffRate) },
    errors: [],
  }),
  changeAiRate: defineRoute({
    method: 'POST',
    path: '/ai-proxy/rates',
    tag,
    summary: 'Publish a new version of a model’s rate',
    access: staffWrite,
    body: z.object({
      provider: z.enum(AI_PROVIDERS),
      model: text(100),
      inputCredits: amount,
      outputCredits: amount,
      inputCostMinor: amount,
      outputCostMinor: amount,
      currency: z.string().regex(/^[A-Z]{3}$/, 'Use a currency such as USD.'),
      isOffered: z.boolean().default(true),
    }),
    reply: { 201: aiStaffRate },
    errors: ['validation_failed'],
    audit: 'ai_rate.changed',
  }),
  listAiMargins,
  exportAiMargins: csvOf(listAiMargins, 'Export what platform keys earned and cost, as CSV'),
};
