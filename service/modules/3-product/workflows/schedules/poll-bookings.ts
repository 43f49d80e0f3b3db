import { latestBookingStart, type Reminder, planReminders } from '@partner-portal/core/schedule/booking-reminder.ts';
import type { QuietHours } from '@partner-portal/core/schedule/quiet-hours.ts';
import { nextRunAt } from '@partner-portal/core/schedule/schedule.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import type { ReadBookings } from '#adapters/booking-reader.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { ScheduleDeps } from './change-schedule.ts';
import { claimBookingPoll, type DuePoll, type PollEnd, settleBookingPoll } from './store-bookings.ts';

export type PollDeps = ScheduleDeps & {
  clock: Clock;
  log: Log;
  readBookings: ReadBookings;
  /** Opens the effective credential, outside any transaction; undefined when none is stored. */
  useCredential: <R extends { check?: { ok: boolean | null; message: string } }>(
    slot: { partnerId: string; clientId: string | null; provider: 'calcom' },
    purpose: 'read_bookings',
    work: (key: { apiKey: string }) => Promise<R>,
  ) => Promise<R | undefined>;
};

const CONCURRENCY = 6;
/** Longer than the reader needs for all pages. */
const LEASE_SECONDS = 120;
/** Plans this far beyond the next poll, so that a failed poll loses no known booking. */
const BEYOND_MS = 60 * 60_000;
/** Retry after a problem that may be temporary. */
const RETRY_MS = 5 * 60_000;
/** Retry after a poll that an agency can make possible again. Shorter than a missed reminder is still sent (core/schedule/booking-reminder.ts). */
const RETRY_UNREAD_MS = 30 * 60_000;

/**
 * Polls the bookings of every due agent and plans a reminder per booking and lead time. Returns the number of polls. Concurrent polls end with
 * the same plan, since booking and time are its key. Rules: docs/behaviour/executions.md.
 */
export async function pollBookings(deps: PollDeps): Promise<number> {
  let polls = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const by = newId();
      const now = deps.clock.now();
      const due = await deps.db.asSystem('sweep', (tx) => claimBookingPoll(tx, { by, now, leaseSeconds: LEASE_SECONDS }));
      if (!due) return;
      polls++;
      const end = await pollOnce(deps, due, now);
      await deps.db.asSystem('sweep', (tx) => settleBookingPoll(tx, by, due, end));
    }
  };
  // A slow provider delays few other partners. A poll that throws stays claimed until its lease expires.
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  for (const end of ends) if (end.status === 'rejected') deps.log.warn({ err: end.reason }, 'could not poll bookings');
  return polls;
}

async function pollOnce(deps: PollDeps, due: DuePoll, now: Date): Promise<PollEnd> {
  const nextDueAt = nextRunAt(due, now);
  const none = { reminders: [], isWhole: false, now, nextDueAt: earlier(nextDueAt, now, RETRY_UNREAD_MS) };
  const template = deps.templateOf(due.templateName);
  if (due.refusal !== null || !template) return { ...none, outcome: 'skipped', reason: due.refusal ?? 'workflow_inactive' };
  // Reminders that were planned before are cancelled: the account does not say which client a booking is of.
  if (due.sharesKey) return { ...none, isWhole: true, outcome: 'failed', reason: 'key_shared' };
  const config = fillConfig(template, due.config);
  const leadHours = hoursOf(config['leadHours']);
  const quiet = quietHoursOf(config, due.clientTimezone);
  const until = new Date(nextDueAt.getTime() + BEYOND_MS);
  const slot = { partnerId: due.partnerId, clientId: due.clientId, workflowId: due.workflowId, provider: 'calcom' as const };
  const read = await deps.useCredential(slot, 'read_bookings', async (key) => {
    const result = await deps.readBookings(key, { after: now, until: latestBookingStart(leadHours, until, quiet) });
    const check = result.ok
      ? { ok: true, message: 'Cal.com accepted the key.' }
      : { ok: result.problem === 'key_refused' ? false : null, message: result.message };
    return { result, check };
  });
  if (!read) return { ...none, outcome: 'failed', reason: 'key_missing' };
  const { result } = read;
  if (!result.ok) {
    deps.log.warn({ workflowId: due.workflowId, problem: result.problem }, 'bookings could not be read');
    const retryMs = result.problem === 'key_refused' ? RETRY_UNREAD_MS : RETRY_MS;
    return { ...none, outcome: 'failed', reason: result.problem, nextDueAt: earlier(nextDueAt, now, retryMs) };
  }
  const reminders: Reminder[] = result.bookings.flatMap((booking) => planReminders(booking, leadHours, { now, until }, quiet));
  const end = { reminders, isWhole: result.isWhole, now, nextDueAt };
  return result.isWhole ? { ...end, outcome: 'looked', reason: null } : { ...end, outcome: 'failed', reason: 'too_many_bookings' };
}

/** Returns the regular time, or the one of a retry when that is earlier: bookings that are not read until the next day lose reminders. */
function earlier(regular: Date, now: Date, retryMs: number): Date {
  return new Date(Math.min(regular.getTime(), now.getTime() + retryMs));
}

/** Returns the quiet hours of an agent that texts; null for one that does not. */
function quietHoursOf({ quietHours, fromNumber, smsText }: { readonly [key: string]: unknown }, timezone: string): QuietHours | null {
  return fromNumber && smsText && typeof quietHours === 'string' ? { range: quietHours, timezone } : null;
}

function hoursOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
