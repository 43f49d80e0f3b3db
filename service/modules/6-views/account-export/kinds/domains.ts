import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const domains = defineKind({
  name: 'domains',
  about: 'The custom domain of the client portal.',
  reach: 'partner',
  key: 'partnerId',
  read: (tx, scope, after, limit) =>
    runStatement<'export_domains'>(tx, {
      name: 'export_domains',
      prepare: false,
      text: `select t.partner_id, t.host, t.status, t.problem, t.has_address, t.checked_at, t.verified_at, t.created_at, t.updated_at
        from partner_domain t
        where t.partner_id = $1 and ($2::uuid is null) and ($3::uuid is null or t.partner_id > $3)
        order by t.partner_id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    partnerId: 'value',
    host: 'value',
    status: 'value',
    problem: 'value',
    hasAddress: 'value',
    checkedAt: 'value',
    verifiedAt: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
