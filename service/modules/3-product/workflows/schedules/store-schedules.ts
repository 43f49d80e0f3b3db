import type { ScheduleOutcome } from '@partner-portal/contract/vocabulary.ts';
import type { ScheduleRule } from '@partner-portal/core/schedule/schedule.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

export type StoredSchedule = ScheduleRule & {
  enabled: boolean;
  dueAt: Date | null;
  lastDueAt: Date | null;
  lastOutcome: ScheduleOutcome | null;
  lastReason: string | null;
  lastExecutionId: string | null;
  /** Bookings: how many reminders waited after the last poll. */
  lastFound: number | null;
  updatedAt: Date;
};
export type ScheduledWorkflow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  name: string;
  templateName: string;
  /** Time zone of the client, or of the partner without a client. */
  timezone: string;
  schedule: StoredSchedule | null;
};

type Row = Omit<ScheduledWorkflow, 'schedule'> & { [Key in keyof StoredSchedule as `s${Capitalize<Key>}`]: StoredSchedule[Key] | null };

/** Returns a workflow with its schedule; `lock` locks the workflow, so that changes are serialized. */
export async function findSchedule(tx: Tx, workflowId: string, options: { lock: boolean }): Promise<ScheduledWorkflow | undefined> {
  const [row] = await runStatement<'schedule_lock' | 'schedule_find', Row>(tx, {
    name: options.lock ? 'schedule_lock' : 'schedule_find',
    text: `select w.id, w.partner_id, w.client_id, w.name, w.template_name, coalesce(c.timezone, p.timezone) as timezone,
        s.every as s_every, s.at as s_at, s.weekdays as s_weekdays, s.timezone as s_timezone, s.enabled as s_enabled, s.due_at as s_due_at, s.last_due_at as s_last_due_at,
        s.last_outcome as s_last_outcome, s.last_reason as s_last_reason, s.last_execution_id as s_last_execution_id, s.last_found as s_last_found, s.updated_at as s_updated_at
      from workflow w join partner p on p.id = w.partner_id left join client c on c.id = w.client_id left join workflow_schedule s on s.workflow_id = w.id
      where w.id = $1 ${options.lock ? 'for no key update of w' : ''}`,
    values: [workflowId],
  });
  if (!row) return undefined;
  const { id, partnerId, clientId, name, templateName, timezone } = row;
  return { id, partnerId, clientId, name, templateName, timezone, schedule: scheduleOf(row) };
}

function scheduleOf(row: Row): StoredSchedule | null {
  const { sEvery, sAt, sTimezone, sUpdatedAt } = row;
  if (sEvery === null || sAt === null || sTimezone === null || sUpdatedAt === null) return null;
  return {
    every: sEvery,
    at: sAt,
    weekdays: row.sWeekdays ?? [],
    timezone: sTimezone,
    enabled: row.sEnabled ?? false,
    dueAt: row.sDueAt,
    lastDueAt: row.sLastDueAt,
    lastOutcome: row.sLastOutcome,
    lastReason: row.sLastReason,
    lastExecutionId: row.sLastExecutionId,
    lastFound: row.sLastFound,
    updatedAt: sUpdatedAt,
  };
}

/** Saves the schedule and releases its claim: an execution being started continues, but no longer sets the next due time. */
export async function saveSchedule(
  tx: Tx,
  workflow: { id: string; partnerId: string },
  rule: ScheduleRule & { kind: 'run' | 'bookings'; enabled: boolean },
  dueAt: Date | null,
): Promise<void> {
  await runStatement(tx, {
    name: 'schedule_save',
    text: `insert into workflow_schedule (workflow_id, partner_id, every, at, weekdays, timezone, enabled, due_at, kind) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (workflow_id) do update set kind = excluded.kind, every = excluded.every, at = excluded.at, weekdays = excluded.weekdays, timezone = excluded.timezone, enabled = excluded.enabled,
        due_at = excluded.due_at, claimed_by = null, claimed_until = null`,
    values: [workflow.id, workflow.partnerId, rule.every, rule.at, rule.weekdays, rule.timezone, rule.enabled, dueAt, rule.kind],
  });
}

export async function removeSchedule(tx: Tx, workflowId: string): Promise<void> {
  await runStatement(tx, { name: 'schedule_remove', text: 'delete from workflow_schedule where workflow_id = $1', values: [workflowId] });
}

export type DueSchedule = ScheduleRule & { workflowId: string; templateName: string; dueAt: Date };

/** Claims due schedules of kind `run`, under a lease; one that is not settled is claimed again when the lease expires. */
export function claimDueSchedules(
  tx: SystemTx,
  claim: { by: string; now: Date; batch: number; leaseSeconds: number },
): Promise<DueSchedule[]> {
  return runStatement<'schedule_claim_due', DueSchedule>(tx, {
    name: 'schedule_claim_due',
    text: `with due as (
        select s.workflow_id from workflow_schedule s where s.kind = 'run' and s.due_at <= $2 and (s.claimed_until is null or s.claimed_until <= $2) order by s.due_at limit $3 for update skip locked
      ), claimed as (
        update workflow_schedule s set claimed_by = $1, claimed_until = $2::timestamptz + make_interval(secs => $4) from due d where s.workflow_id = d.workflow_id
        returning s.workflow_id, s.every, s.at, s.weekdays, s.timezone, s.due_at
      )
      select c.*, w.template_name from claimed c join workflow w on w.id = c.workflow_id`,
    values: [claim.by, claim.now, claim.batch, claim.leaseSeconds],
  });
}

export type ScheduleEnd = {
  workflowId: string;
  dueAt: Date;
  nextDueAt: Date;
  outcome: 'started' | 'skipped';
  reason: string | null;
  executionId: string | null;
};

/** Records the outcomes of claimed due times and the next ones. Skips a schedule that was changed or deleted since its claim. */
export async function settleSchedules(tx: SystemTx, by: string, ends: readonly ScheduleEnd[]): Promise<void> {
  const pick = <Key extends keyof ScheduleEnd>(key: Key): ScheduleEnd[Key][] => ends.map((end) => end[key]);
  await runStatement(tx, {
    name: 'schedule_settle',
    text: `update workflow_schedule s set due_at = e.next_due_at, claimed_by = null, claimed_until = null, last_due_at = e.due_at, last_outcome = e.outcome,
        last_reason = e.reason, last_execution_id = e.execution_id
      from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[], $7::uuid[]) as e(workflow_id, due_at, next_due_at, outcome, reason, execution_id)
      where s.workflow_id = e.workflow_id and s.due_at = e.due_at and s.claimed_by = $1`,
    values: [by, pick('workflowId'), pick('dueAt'), pick('nextDueAt'), pick('outcome'), pick('reason'), pick('executionId')],
  });
}
