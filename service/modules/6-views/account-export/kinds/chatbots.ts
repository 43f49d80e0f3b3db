import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const chatbots = defineKind({
  name: 'chatbots',
  about: 'Chatbots with their settings, the text they know, and the agents they may run.',
  reach: 'client',
  batch: 20,
  read: (tx, scope, after, limit) =>
    runStatement<'export_chatbots'>(tx, {
      name: 'export_chatbots',
      prepare: false,
      text: `select t.id, t.client_id, t.is_active, t.name, t.greeting, t.persona, t.knowledge_text, t.provider, t.model, t.handoff_email,
          to_json(t.handoff_phrases)::text as handoff_phrases, t.handoff_when_unsure, t.reminder_minutes,
          (select json_agg(json_build_object('intent', r.intent, 'workflowId', r.workflow_id) order by r.n) from chatbot_route r where r.chatbot_id = t.id)::text as agent_routes,
          t.brand_color, to_json(t.allowed_origins)::text as allowed_origins, t.privacy_url, t.created_at, t.updated_at
        from chatbot t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    isActive: 'value',
    name: 'value',
    greeting: 'value',
    persona: 'value',
    knowledgeText: 'value',
    provider: 'value',
    model: 'value',
    handoffEmail: 'value',
    handoffPhrases: 'json',
    handoffWhenUnsure: 'value',
    reminderMinutes: 'value',
    agentRoutes: 'json',
    brandColor: 'value',
    allowedOrigins: 'json',
    privacyUrl: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
