import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const conversationMessages = defineKind({
  name: 'conversation-messages',
  about: 'The messages of conversations, with the passages that replies stand on.',
  reach: 'client',
  batch: 200,
  read: (tx, scope, after, limit) =>
    runStatement<'export_conversation_messages'>(tx, {
      name: 'export_conversation_messages',
      prepare: false,
      text: `select t.id, t.client_id, t.conversation_id, t.author, u.id as user_id, t.author_name, t.content, t.passages::text as passages, t.turn_id, t.at
        from conversation_message t left join app_user u on u.id = t.user_id
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_conversation_messages_count', { count: number }>(tx, {
      name: 'export_conversation_messages_count',
      prepare: false,
      text: 'select count(*) as count from conversation_message t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)',
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    clientId: 'value',
    conversationId: 'value',
    author: 'value',
    userId: 'value',
    authorName: 'value',
    content: 'value',
    passages: 'json',
    turnId: 'value',
    at: 'value',
  },
});
