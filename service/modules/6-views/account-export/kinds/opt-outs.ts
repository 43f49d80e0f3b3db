import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const optOuts = defineKind({
  name: 'opt-outs',
  about: 'Contacts who asked not to be contacted again.',
  reach: 'agency',
  key: 'position',
  read: (tx, scope, after, limit) =>
    runStatement<'export_opt_outs'>(tx, {
      name: 'export_opt_outs',
      prepare: false,
      text: `select t.contact || ' ' || coalesce(t.client_id::text, '') as position, t.client_id, t.contact, t.reason, t.execution_id, t.note, t.at
        from opt_out t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::text is null or (t.contact || ' ' || coalesce(t.client_id::text, '')) > $3)
        order by (t.contact || ' ' || coalesce(t.client_id::text, '')) limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    position: 'hidden',
    clientId: 'value',
    contact: 'value',
    reason: 'value',
    executionId: 'value',
    note: 'value',
    at: 'value',
  },
});
