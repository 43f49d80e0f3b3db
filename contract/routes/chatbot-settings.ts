import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { colour, email, id, optionalLink, optionalText, page, pageQuery, text } from '../primitives.ts';
import { agentRoute, chatbotListItem, chatbotRecord } from '../records/conversation.ts';
import { AI_PROVIDERS, LIMITS } from '../vocabulary.ts';
import { anyone, partner, staffOrPartnerWrite } from './access.ts';

const tag = 'chatbot';
const ofClient = z.object({ clientId: id.optional() });

const ORIGIN_NEEDED = 'Use an origin such as https://www.example.com, without a path.';
/** An origin as browsers send it: scheme, host and port. */
const origin = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(/^https?:\/\/(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?$/, { error: ORIGIN_NEEDED, abort: true })
  .refine((typed) => URL.canParse(typed), ORIGIN_NEEDED)
  .meta({ examples: ['https://www.example.com'] });

const listChatbots = defineRoute({
  method: 'GET',
  path: '/chatbot',
  tag,
  summary: 'List the clients of the agency, each with the state of its chatbot',
  access: partner,
  query: pageQuery,
  reply: { 200: page(chatbotListItem) },
  errors: ['plan_feature_required', 'invalid_cursor', 'invalid_query'],
});

export const chatbotSettingsRoutes = {
  listChatbots,
  exportChatbots: csvOf(listChatbots),
  getChatbot: defineRoute({
    method: 'GET',
    path: '/chatbot/settings',
    tag,
    summary: 'Get the chatbot of a client; its defaults before the settings are saved',
    access: anyone,
    query: ofClient,
    reply: { 200: chatbotRecord },
    errors: ['not_found', 'plan_feature_required', 'invalid_query'],
  }),
  changeChatbot: defineRoute({
    method: 'PATCH',
    path: '/chatbot/settings',
    tag,
    summary: 'Change the chatbot of a client',
    access: staffOrPartnerWrite,
    query: ofClient,
    body: z.object({
      clientId: id.optional(),
      isActive: z.boolean().optional(),
      name: text(60).optional(),
      greeting: text(500).optional(),
      persona: optionalText(4_000).optional(),
      knowledgeText: z.string().max(LIMITS.knowledgeTextMax).optional(),
      provider: z.enum(AI_PROVIDERS).optional(),
      model: text(100).optional(),
      handoffEmail: z.union([email, z.literal('')]).optional(),
      handoffPhrases: z.array(text(100)).max(50).optional(),
      handoffWhenUnsure: z.boolean().optional(),
      reminderMinutes: z.number().int().min(LIMITS.reminderMinutesMin).max(LIMITS.reminderMinutesMax).optional(),
      agentRoutes: z
        .array(agentRoute.extend({ intent: text(200) }))
        .max(LIMITS.agentRoutesMax)
        .optional(),
      brandColor: colour.nullable().optional(),
      allowedOrigins: z.array(origin).max(20).optional(),
      privacyUrl: optionalLink.optional(),
    }),
    reply: { 200: chatbotRecord },
    errors: ['validation_failed', 'not_found', 'plan_feature_required', 'partner_role_forbidden', 'stale_record'],
    audit: 'chatbot.changed',
  }),
};
