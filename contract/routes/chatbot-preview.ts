import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, optionalText, text } from '../primitives.ts';
import { aiUsage } from '../records/ai.ts';
import { agentRoute, messageRun, passageRecord } from '../records/conversation.ts';
import { AI_PROVIDERS, LIMITS, MESSAGE_AUTHORS } from '../vocabulary.ts';
import { staffOrPartnerWrite } from './access.ts';

const tag = 'chatbot';

export const chatbotPreviewRoutes = {
  previewChatbot: defineRoute({
    method: 'POST',
    path: '/chatbot/preview',
    tag,
    summary: 'Ask the chatbot with unsaved settings; no agent runs and nothing is stored',
    access: staffOrPartnerWrite,
    body: z.object({
      clientId: id.optional(),
      persona: optionalText(4_000).optional(),
      provider: z.enum(AI_PROVIDERS).optional(),
      model: text(100).optional(),
      agentRoutes: z
        .array(agentRoute.extend({ intent: text(200) }))
        .max(LIMITS.agentRoutesMax)
        .optional(),
      messages: z
        .array(z.object({ author: z.enum(MESSAGE_AUTHORS), text: text(LIMITS.visitorTextMax) }))
        .min(1)
        .max(20),
    }),
    reply: {
      200: z.object({
        reply: z.string(),
        passages: z.array(passageRecord),
        /** The agent that would run, with its inputs; null for a plain answer. */
        wouldRun: messageRun
          .pick({ workflowId: true, agentName: true })
          .extend({ inputs: z.record(z.string(), z.unknown()) })
          .nullable(),
        wouldHandOff: z.boolean(),
        usage: aiUsage,
        creditsCharged: z.number().int(),
      }),
    },
    errors: [
      'validation_failed',
      'not_found',
      'plan_feature_required',
      'partner_role_forbidden',
      'quota_exceeded',
      'chat_budget_exceeded',
      'rate_limited',
      'no_usable_key',
      'ai_key_refused',
      'ai_unavailable',
    ],
    changesNothing: 'Nothing is stored but the usage of tokens.',
  }),
};
