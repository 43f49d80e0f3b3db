import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';
import { showPayload } from './show-payload.ts';

export const plannedRuns = defineKind({
  name: 'planned-runs',
  about: 'Runs that are planned for one contact, such as reminders.',
  reach: 'agency',
  batch: 100,
  read: (tx, scope, after, limit) =>
    runStatement<'export_planned_runs'>(tx, {
      name: 'export_planned_runs',
      prepare: false,
      text: `select t.id, t.workflow_id, t.client_id, t.kind, t.label, t.subject, t.origin, t.status, t.reason, t.due_at, t.last_at,
          t.ended_at, t.execution_id, t.input::text as input, t.created_at
        from planned_run t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_planned_runs_count', { count: number }>(tx, {
      name: 'export_planned_runs_count',
      prepare: false,
      text: `select count(*) as count from planned_run t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)`,
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  async shape(row, scope, pace) {
    return { ...row, input: await showPayload(row.input, scope, pace) };
  },
  columns: {
    id: 'value',
    workflowId: 'value',
    clientId: 'value',
    kind: 'value',
    label: 'value',
    subject: 'value',
    origin: 'value',
    status: 'value',
    reason: 'value',
    dueAt: 'value',
    lastAt: 'value',
    endedAt: 'value',
    executionId: 'value',
    input: 'agencyJson',
    createdAt: 'value',
  },
});
