import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const conversations = defineKind({
  name: 'conversations',
  about: 'Conversations of website visitors with chatbots and people.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_conversations'>(tx, {
      name: 'export_conversations',
      prepare: false,
      text: `select t.id, t.client_id, t.chatbot_id, t.visitor_label, t.origin, t.status, t.handoff_reason, t.assigned_name, t.was_handed_off, t.was_answered,
          t.started_at, t.last_message_at, t.waiting_since, t.closed_at
        from conversation t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    chatbotId: 'value',
    visitorLabel: 'value',
    origin: 'value',
    status: 'value',
    handoffReason: 'value',
    assignedName: 'value',
    wasHandedOff: 'value',
    wasAnswered: 'value',
    startedAt: 'value',
    lastMessageAt: 'value',
    waitingSince: 'value',
    closedAt: 'value',
  },
});
