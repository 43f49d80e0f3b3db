import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const schedules = defineKind({
  name: 'schedules',
  about: 'When agents run by themselves.',
  reach: 'agency',
  key: 'workflowId',
  read: (tx, scope, after, limit) =>
    runStatement<'export_schedules'>(tx, {
      name: 'export_schedules',
      prepare: false,
      text: `select t.workflow_id, w.client_id, t.kind, t.enabled, t.every, t.at, to_jsonb(t.weekdays)::text as weekdays, t.timezone,
          t.due_at, t.last_due_at, t.last_outcome, t.last_reason, t.last_execution_id, t.created_at, t.updated_at
        from workflow_schedule t join workflow w on w.id = t.workflow_id
        where t.partner_id = $1 and ($2::uuid is null or w.client_id = $2) and ($3::uuid is null or t.workflow_id > $3)
        order by t.workflow_id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    workflowId: 'value',
    clientId: 'value',
    kind: 'value',
    enabled: 'value',
    every: 'value',
    at: 'value',
    weekdays: 'json',
    timezone: 'value',
    dueAt: 'value',
    lastDueAt: 'value',
    lastOutcome: 'value',
    lastReason: 'value',
    lastExecutionId: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
