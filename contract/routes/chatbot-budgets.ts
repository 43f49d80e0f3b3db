import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id } from '../primitives.ts';
import { chatBudgetsRecord } from '../records/chat-budget.ts';
import { LIMITS } from '../vocabulary.ts';
import { staffOrPartner, staffOrPartnerWrite } from './access.ts';

const tag = 'chatbot';
const dayCredits = z.number().int().min(0).max(LIMITS.chatDayCreditsMax).optional();

export const chatbotBudgetRoutes = {
  getChatBudgets: defineRoute({
    method: 'GET',
    path: '/chatbot/budgets',
    tag,
    summary: 'Get what conversations with visitors may cost, and what they cost so far',
    access: staffOrPartner,
    /** Staff name the agency, or one of its clients. */
    query: z.object({ partnerId: id.optional(), clientId: id.optional() }),
    reply: { 200: chatBudgetsRecord },
    errors: ['not_found', 'plan_feature_required', 'invalid_query'],
  }),
  changeChatBudgets: defineRoute({
    method: 'PATCH',
    path: '/chatbot/budgets',
    tag,
    summary: 'Change what conversations with visitors may cost',
    access: staffOrPartnerWrite,
    body: z.object({
      /** For staff, who name the agency. */
      partnerId: id.optional(),
      sharePercent: z.number().int().min(0).max(100).optional(),
      conversationCredits: dayCredits,
      visitorCredits: dayCredits,
      chatbotCredits: dayCredits,
    }),
    reply: { 200: chatBudgetsRecord },
    errors: ['validation_failed', 'not_found', 'plan_feature_required', 'partner_role_forbidden', 'stale_record'],
    audit: 'chat_budgets.changed',
  }),
};
