import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, idParams, nothing, text } from '../primitives.ts';
import { knowledgeRecord, passageRecord } from '../records/conversation.ts';
import { LIMITS } from '../vocabulary.ts';
import { anyone, staffOrPartner, staffOrPartnerWrite } from './access.ts';

const tag = 'chatbot';
const ofClient = z.object({ clientId: id.optional() });

export const chatbotKnowledgeRoutes = {
  listKnowledge: defineRoute({
    method: 'GET',
    path: '/chatbot/knowledge',
    tag,
    summary: 'Get what the chatbot of a client knows: business profile, text, files',
    access: anyone,
    query: ofClient,
    reply: { 200: z.array(knowledgeRecord) },
    errors: ['not_found', 'plan_feature_required', 'invalid_query'],
  }),
  uploadKnowledge: defineRoute({
    method: 'POST',
    path: '/chatbot/knowledge',
    tag,
    summary: 'Upload a PDF or text file that the chatbot answers from',
    access: staffOrPartnerWrite,
    body: ofClient,
    bodyLimit: LIMITS.knowledgeFileBytesMax,
    upload: true,
    reply: { 201: knowledgeRecord },
    errors: ['validation_failed', 'not_found', 'plan_feature_required', 'partner_role_forbidden', 'media_limit_reached'],
    audit: 'chatbot.knowledge_added',
  }),
  deleteKnowledge: defineRoute({
    method: 'DELETE',
    path: '/chatbot/knowledge/:id',
    tag,
    summary: 'Remove a file from what the chatbot knows',
    access: staffOrPartnerWrite,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found', 'plan_feature_required', 'partner_role_forbidden', 'invalid_state'],
    audit: 'chatbot.knowledge_removed',
  }),
  searchKnowledge: defineRoute({
    method: 'GET',
    path: '/chatbot/knowledge/search',
    tag,
    summary: 'Get the passages found for a question, best first',
    access: staffOrPartner,
    query: ofClient.extend({ q: text(LIMITS.visitorTextMax) }),
    reply: { 200: z.array(passageRecord.extend({ rank: z.number() })) },
    errors: ['not_found', 'plan_feature_required', 'invalid_query'],
  }),
};
