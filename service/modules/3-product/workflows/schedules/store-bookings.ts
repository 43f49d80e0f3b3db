import type { Reminder } from '@partner-portal/core/schedule/booking-reminder.ts';
import type { ScheduleRule } from '@partner-portal/core/schedule/schedule.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { planReminders } from './store-planned.ts';

export type DuePoll = ScheduleRule & {
  workflowId: string;
  partnerId: string;
  clientId: string | null;
  templateName: string;
  config: Record<string, unknown>;
  /** In which the agent judges quiet hours; the rule's own time zone may be another. */
  clientTimezone: string;
  dueAt: Date;
  /** Why the agent may not run now, as an event would be refused; its bookings are then not polled. */
  refusal: string | null;
  /** The key that counts is the agency's default, and an agent of another client polls bookings with it: its bookings may be those of either. */
  sharesKey: boolean;
};

/** Claims the poll that is due longest, under a lease. */
export async function claimBookingPoll(tx: SystemTx, claim: { by: string; now: Date; leaseSeconds: number }): Promise<DuePoll | undefined> {
  const [row] = await runStatement<'booking_poll_claim', DuePoll>(tx, {
    name: 'booking_poll_claim',
    text: `with due as (
        select s.workflow_id from workflow_schedule s where s.kind = 'bookings' and s.due_at <= $2 and (s.claimed_until is null or s.claimed_until <= $2)
        order by s.due_at limit 1 for update skip locked
      ), claimed as (
        update workflow_schedule s set claimed_by = $1, claimed_until = $2::timestamptz + make_interval(secs => $3) from due d where s.workflow_id = d.workflow_id
        returning s.workflow_id, s.every, s.at, s.weekdays, s.timezone, s.due_at
      )
      select c.*, w.partner_id, w.client_id, w.template_name, w.config, coalesce(k.timezone, p.timezone) as client_timezone,
        case when not may_run_agents(p.status, k.status, b.status) then 'account_suspended'
          when not w.is_active or w.provider_flow_id is null then 'workflow_inactive' end as refusal,
        case when w.client_id is not null and exists (select from effective_credential(w.partner_id, w.client_id, 'calcom') own where own.client_id is null)
          then exists (
            select from workflow_schedule s join workflow o on o.id = s.workflow_id left join client ok on ok.id = o.client_id
              cross join lateral effective_credential(o.partner_id, o.client_id, 'calcom') used
            where s.kind = 'bookings' and s.enabled and o.partner_id = w.partner_id and o.client_id is distinct from w.client_id
              and o.is_active and o.provider_flow_id is not null and may_run_agents(p.status, ok.status, b.status) and used.client_id is null)
          else false end as shares_key
      from claimed c join workflow w on w.id = c.workflow_id join partner p on p.id = w.partner_id left join client k on k.id = w.client_id
      left join subscription b on b.partner_id = w.partner_id`,
    values: [claim.by, claim.now, claim.leaseSeconds],
  });
  return row;
}

export type PollEnd = {
  outcome: 'looked' | 'skipped' | 'failed';
  reason: string | null;
  nextDueAt: Date;
  reminders: readonly Reminder[];
  isWhole: boolean;
  now: Date;
};

/** Records the result of a poll together with its plan. Does nothing for a schedule that was changed or deleted since its claim. */
export async function settleBookingPoll(tx: SystemTx, by: string, due: DuePoll, end: PollEnd): Promise<void> {
  // Lock order everywhere: the agent, then its schedule, then its planned runs.
  await runStatement(tx, {
    name: 'booking_poll_lock_agent',
    text: 'select from workflow where id = $1 for no key update',
    values: [due.workflowId],
  });
  const held = await runStatement(tx, {
    name: 'booking_poll_settle',
    text: `update workflow_schedule set due_at = $4, claimed_by = null, claimed_until = null, last_due_at = $3, last_outcome = $5, last_reason = $6, last_execution_id = null,
        last_found = null
      where workflow_id = $2 and due_at = $3 and claimed_by = $1 returning workflow_id`,
    values: [by, due.workflowId, due.dueAt, end.nextDueAt, end.outcome, end.reason],
  });
  if (held.length === 0) return;
  if (end.outcome === 'skipped' || (end.reminders.length === 0 && !end.isWhole)) return;
  const waiting = await planReminders(tx, { id: due.workflowId, partnerId: due.partnerId, clientId: due.clientId }, end);
  await runStatement(tx, {
    name: 'booking_poll_count',
    text: 'update workflow_schedule set last_found = $2 where workflow_id = $1',
    values: [due.workflowId, waiting],
  });
}
