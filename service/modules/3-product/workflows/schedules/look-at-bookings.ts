import { latestBookingStart, type Reminder, planReminders } from '@partner-portal/core/schedule/booking-reminder.ts';
import { nextRunAt } from '@partner-portal/core/schedule/schedule.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import type { BookingProblem, ReadBookings } from '#adapters/booking-reader.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { ScheduleDeps } from './change-schedule.ts';
import { claimBookingLook, type DueLook, type LookEnd, settleLook } from './store-looks.ts';

export type LookDeps = ScheduleDeps & {
  clock: Clock;
  log: Log;
  readBookings: ReadBookings;
  /** The vault: opens the key that counts, outside any transaction; undefined when none is stored. */
  useCredential: <R extends { check?: { ok: boolean; message: string } }>(
    slot: { partnerId: string; clientId: string | null; provider: 'calcom' },
    purpose: 'read_bookings',
    work: (key: { apiKey: string }) => Promise<R>,
  ) => Promise<R | undefined>;
};

const AT_ONCE = 6;
/** Longer than the reader takes for all its pages. */
const LEASE_SECONDS = 120;
/** Planned this far beyond the next look, so that a look that fails loses nothing that was known before. */
const BEYOND_MS = 60 * 60_000;
/** What may be better in a few minutes is tried again then. */
const AGAIN_MS = 5 * 60_000;

/**
 * Looks at the bookings of every agent that is due and plans a reminder for each booking and lead time (product.md §8, row 2). Answers how
 * many looks there were. Looks of two processes at once end with the same plan, since booking and moment are its key.
 */
export async function lookAtBookings(deps: LookDeps): Promise<number> {
  let looks = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const by = newId();
      const now = deps.clock.now();
      const due = await deps.db.asSystem('sweep', (tx) => claimBookingLook(tx, { by, now, leaseSeconds: LEASE_SECONDS }));
      if (!due) return;
      looks++;
      const end = await lookOnce(deps, due, now);
      await deps.db.asSystem('sweep', (tx) => settleLook(tx, by, due, end));
    }
  };
  // A slow provider holds up its own agency's look and no other's for long. What throws stays claimed until its lease is over.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const end of ends) if (end.status === 'rejected') deps.log.warn({ err: end.reason }, 'bookings were not looked at');
  return looks;
}

async function lookOnce(deps: LookDeps, due: DueLook, now: Date): Promise<LookEnd> {
  const nextDueAt = nextRunAt(due, now);
  const none = { reminders: [], isWhole: false, now, nextDueAt };
  const template = deps.templateOf(due.templateName);
  if (due.refusal !== null || !template) return { ...none, outcome: 'skipped', reason: due.refusal ?? 'workflow_inactive' };
  const leadHours = hoursOf(fillConfig(template, due.config)['leadHours']);
  const until = new Date(nextDueAt.getTime() + BEYOND_MS);
  const slot = { partnerId: due.partnerId, clientId: due.clientId, provider: 'calcom' as const };
  const read = await deps.useCredential(slot, 'read_bookings', async (key) => {
    const answer = await deps.readBookings(key, { after: now, until: latestBookingStart(leadHours, until) });
    const check = answer.ok ? { ok: true, message: 'Cal.com accepted the key.' } : { ok: false, message: answer.message };
    return { answer, check };
  });
  if (!read) return { ...none, outcome: 'failed', reason: 'key_missing' };
  const { answer } = read;
  if (!answer.ok) {
    deps.log.warn({ workflowId: due.workflowId, problem: answer.problem }, 'bookings could not be read');
    return { ...none, outcome: 'failed', reason: answer.problem, nextDueAt: afterProblem(answer.problem, nextDueAt, now) };
  }
  const reminders: Reminder[] = answer.bookings.flatMap((booking) => planReminders(booking, leadHours, { now, until }));
  const end = { reminders, isWhole: answer.isWhole, now, nextDueAt };
  return answer.isWhole ? { ...end, outcome: 'looked', reason: null } : { ...end, outcome: 'failed', reason: 'too_many_bookings' };
}

/** A refused key stays refused until somebody saves another; anything else may pass by itself. */
function afterProblem(problem: BookingProblem, regular: Date, now: Date): Date {
  const soon = new Date(now.getTime() + AGAIN_MS);
  return problem === 'key_refused' || soon > regular ? regular : soon;
}

function hoursOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
