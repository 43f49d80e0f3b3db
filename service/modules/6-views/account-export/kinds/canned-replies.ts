import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const cannedReplies = defineKind({
  name: 'canned-replies',
  about: 'Texts kept ready for the inbox.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_canned_replies'>(tx, {
      name: 'export_canned_replies',
      prepare: false,
      text: `select t.id, t.client_id, t.title, t.content, u.id as created_by, t.created_at
        from canned_reply t left join app_user u on u.id = t.created_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: { id: 'value', clientId: 'value', title: 'value', content: 'value', createdBy: 'value', createdAt: 'value' },
});
