import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const optOuts = defineKind({
  name: 'opt-outs',
  about: 'Contacts who asked not to be contacted again.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_opt_outs'>(tx, {
      name: 'export_opt_outs',
      prepare: false,
      text: `select t.id, t.client_id, t.contact, t.reason, t.execution_id, t.note, u.id as added_by, t.at
        from opt_out t left join app_user u on u.id = t.added_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    contact: 'value',
    reason: 'value',
    executionId: 'value',
    note: 'value',
    addedBy: 'value',
    at: 'value',
  },
});
