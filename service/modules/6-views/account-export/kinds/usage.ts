import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

/** Clients see what their runs cost, AI tokens included, and nothing else of the ledger. */
export const usage = defineKind({
  name: 'usage',
  about: 'The ledger of credits.',
  reach: 'client',
  batch: 1000,
  // Entries of a run and its AI tokens share an id, so a batch ends behind all of an id.
  read: (tx, scope, after, limit) =>
    runStatement<'export_usage'>(tx, {
      name: 'export_usage',
      prepare: false,
      text: `select t.id, t.at, t.kind, t.credits, t.note, t.client_id, t.workflow_id, t.execution_id
        from usage_entry t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
          and ($5 = 'agency' or t.kind = 'run' or (t.kind = 'ai_tokens' and t.execution_id is not null))
        order by t.id fetch first $4 rows with ties`,
      values: [scope.partnerId, scope.clientId, after, limit, scope.audience],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_usage_count', { count: number }>(tx, {
      name: 'export_usage_count',
      prepare: false,
      text: `select count(*) as count from usage_entry t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)
        and ($3 = 'agency' or t.kind = 'run' or (t.kind = 'ai_tokens' and t.execution_id is not null))`,
      values: [scope.partnerId, scope.clientId, scope.audience],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    at: 'value',
    kind: 'value',
    credits: 'value',
    note: 'agency',
    clientId: 'value',
    workflowId: 'value',
    executionId: 'value',
  },
});
