import type { Reminder } from '@partner-portal/core/schedule/booking-reminder.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** Statements of planned runs: executions planned for one exact time. Follow-ups of executions are planned by the SQL function plan_follow_up, which finish_executions calls. */

export type PlannedRow = {
  id: string;
  kind: 'reminder' | 'nudge';
  label: string;
  dueAt: Date;
  status: 'waiting' | 'started' | 'skipped' | 'cancelled' | 'missed';
  reason: string | null;
  executionId: string | null;
};

const WAITING_SHOWN = 50;
const RECENT_SHOWN = 10;

/** Lists waiting planned runs, the next first, and the most recently ended. Replies that ended a quote's nudges are left out. */
export async function listPlanned(
  tx: Tx,
  workflowId: string,
): Promise<{ waiting: PlannedRow[]; waitingTotal: number; recent: PlannedRow[] }> {
  const rows = await runStatement<'planned_list', PlannedRow & { total: number }>(tx, {
    name: 'planned_list',
    text: `(select id, kind, label, due_at, status, reason, null::uuid as execution_id, count(*) over ()::int as total from planned_run where workflow_id = $1 and try_at is not null order by due_at, id limit $2)
      union all
      (select id, kind, label, due_at, status, reason, case status when 'started' then execution_id end, 0 from planned_run
        where workflow_id = $1 and ended_at is not null and input <> '{}' and reason is distinct from 'replaced' and reason is distinct from 'no_longer_due' order by ended_at desc, id limit $3)`,
    values: [workflowId, WAITING_SHOWN, RECENT_SHOWN],
  });
  const waiting = rows.filter((row) => row.status === 'waiting');
  return { waiting, waitingTotal: waiting[0]?.total ?? 0, recent: rows.filter((row) => row.status !== 'waiting') };
}

/** Cancels waiting reminders that were planned from bookings, for example because the schedule is switched off. */
export async function cancelReminders(tx: Tx, workflowId: string, reason: string): Promise<void> {
  await runStatement(tx, {
    name: 'planned_cancel_reminders',
    text: `update planned_run set status = 'cancelled', reason = $2, try_at = null, ended_at = now()
      where workflow_id = $1 and origin = 'bookings' and status = 'waiting' and claimed_by is null`,
    values: [workflowId, reason],
  });
}

/**
 * Plans reminders found in bookings and cancels those no longer found (cancelled, moved, other lead times); each booking and time once.
 * `isWhole` false: unseen bookings may still exist, so none is cancelled. Returns how many wait now.
 */
export async function planReminders(
  tx: SystemTx,
  workflow: { id: string; partnerId: string; clientId: string | null },
  found: { reminders: readonly Reminder[]; isWhole: boolean; now: Date },
): Promise<number> {
  const { reminders } = found;
  const subjects = reminders.map((one) => one.subject);
  const dueTimes = reminders.map((one) => one.dueAt);
  if (found.isWhole) {
    await runStatement(tx, {
      name: 'planned_take_back',
      text: `update planned_run p set status = 'cancelled', reason = 'no_longer_due', try_at = null, ended_at = now()
        where p.workflow_id = $1 and p.origin = 'bookings' and p.status = 'waiting' and p.claimed_by is null and p.due_at > $4
          and not exists (select 1 from unnest($2::text[], $3::timestamptz[]) as f(subject, due_at) where f.subject = p.subject and f.due_at = p.due_at)`,
      values: [workflow.id, subjects, dueTimes, found.now],
    });
  }
  await runStatement(tx, {
    name: 'planned_add_reminders',
    text: `insert into planned_run as p (partner_id, client_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, try_at)
      select $2, $3, $1, 'reminder', 'bookings', f.subject, f.label, f.due_at, f.last_at, f.input, f.due_at
      from unnest($4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::jsonb[]) as f(subject, label, due_at, last_at, input)
      on conflict (workflow_id, subject, due_at) do update set status = 'waiting', reason = null, input = excluded.input, label = excluded.label, try_at = excluded.try_at,
        ended_at = null, origin = 'bookings' where p.status = 'cancelled'`,
    values: [
      workflow.id,
      workflow.partnerId,
      workflow.clientId,
      subjects,
      reminders.map((one) => one.label),
      dueTimes,
      reminders.map((one) => one.lastAt),
      reminders.map((one) => JSON.stringify(one.input)),
    ],
  });
  const [count] = await runStatement<'planned_count_reminders', { waiting: number }>(tx, {
    name: 'planned_count_reminders',
    text: "select count(*)::int as waiting from planned_run where workflow_id = $1 and origin = 'bookings' and try_at is not null",
    values: [workflow.id],
  });
  return count?.waiting ?? 0;
}

export type DuePlanned = {
  id: string;
  workflowId: string;
  input: Record<string, unknown>;
  lastAt: Date;
  /** The id that its run gets: events that end its plan find it by that before its start is recorded. */
  executionId: string;
  /** When the lease of an earlier claim that was never settled expired; null for none. */
  expiredAt: Date | null;
  /** An earlier one of its subject was started and waits to be sent: that one decides by the time at which it is. */
  hasEarlier: boolean;
  /** A later one of its subject is due as well, and waits: that one goes out. */
  hasLater: boolean;
};

/** Claims due planned runs, under a lease, and gives their runs ids. */
export function claimDuePlanned(
  tx: SystemTx,
  claim: { by: string; now: Date; batch: number; leaseSeconds: number },
): Promise<DuePlanned[]> {
  return runStatement<'planned_claim_due', DuePlanned>(tx, {
    name: 'planned_claim_due',
    text: `with due as (
        select id, claimed_until as expired_at from planned_run where try_at <= $2 and (claimed_until is null or claimed_until <= $2) order by try_at limit $3 for update skip locked
      )
      update planned_run p set claimed_by = $1, claimed_until = $2::timestamptz + make_interval(secs => $4), execution_id = coalesce(p.execution_id, uuidv7()) from due d where p.id = d.id
      returning p.id, p.workflow_id, p.input, p.last_at, p.execution_id, d.expired_at, exists (
        select from planned_run o join dispatch x on x.execution_id = o.execution_id
        where o.workflow_id = p.workflow_id and o.subject = p.subject and o.status = 'started' and o.due_at < p.due_at and x.claimed_until is null) as has_earlier, exists (
        select from planned_run o
        where o.workflow_id = p.workflow_id and o.subject = p.subject and o.try_at is not null and o.due_at > p.due_at and o.due_at <= $2) as has_later`,
    values: [claim.by, claim.now, claim.batch, claim.leaseSeconds],
  });
}

export type PlannedEnd = {
  id: string;
  status: 'waiting' | 'started' | 'skipped' | 'cancelled' | 'missed';
  reason: string | null;
  executionId: string | null;
  /** When to try again; of `waiting` only. */
  tryAt: Date | null;
};

/**
 * Records the results of claimed planned runs. Returns the ids it held. A planned run that was cancelled after its execution started counts as started.
 * `locked: 'skip'` leaves rows that are locked: waiting for several could deadlock. `'wait'` is for one row in its own transaction.
 */
export async function settlePlanned(
  tx: SystemTx,
  settle: { by: string; now: Date; ends: readonly PlannedEnd[]; locked: 'skip' | 'wait' },
): Promise<string[]> {
  const { by, now, ends, locked } = settle;
  const pick = <Key extends keyof PlannedEnd>(key: Key): PlannedEnd[Key][] => ends.map((end) => end[key]);
  const rows = await runStatement<'planned_settle_skip' | 'planned_settle_wait', { id: string }>(tx, {
    name: locked === 'skip' ? 'planned_settle_skip' : 'planned_settle_wait',
    text: `with held as (
        select id, status from planned_run where id = any($3::uuid[]) and claimed_by = $1 for update ${locked === 'skip' ? 'skip locked' : ''}
      ), settled as (
        update planned_run p set status = e.status, reason = e.reason, execution_id = e.execution_id, try_at = e.try_at, claimed_by = null, claimed_until = null,
          ended_at = case when e.status = 'waiting' then null else $2::timestamptz end
        from held h join unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[]) as e(id, status, reason, execution_id, try_at) on e.id = h.id
        where p.id = h.id and (h.status = 'waiting' or e.status = 'started')
      )
      select id from held`,
    values: [by, now, pick('id'), pick('status'), pick('reason'), pick('executionId'), pick('tryAt')],
  });
  return rows.map((row) => row.id);
}

/** Deletes planned runs that ended long ago, and what is known of messages and events (without an input) once it has expired; until then their keys prevent planning the same time, or sending, twice. */
export async function forgetPlanned(tx: SystemTx, keepDays: number, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'planned_forget',
    text: `delete from planned_run where id in (
        select id from planned_run where ended_at < now() - make_interval(days => $1) and due_at < now() - make_interval(days => $1) and (input <> '{}' or last_at < now()) order by ended_at limit $2) returning id`,
    values: [keepDays, batch],
  });
  return rows.length;
}
