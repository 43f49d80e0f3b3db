import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const notifications = defineKind({
  name: 'notifications',
  about: 'What people were notified of.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_notifications'>(tx, {
      name: 'export_notifications',
      prepare: false,
      text: `select t.id, t.user_id, t.client_id, t.type, t.title, t.body, t.read_at, t.created_at
        from notification t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_notifications_count', { count: number }>(tx, {
      name: 'export_notifications_count',
      prepare: false,
      text: `select count(*) as count from notification t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)`,
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    userId: 'value',
    clientId: 'value',
    type: 'value',
    title: 'value',
    body: 'value',
    readAt: 'value',
    createdAt: 'value',
  },
});
