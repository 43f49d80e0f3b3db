import { REMINDER_LATE_MINUTES_MAX } from '@partner-portal/core/schedule/booking-reminder.ts';

/**
 * Model of the SQL function `plan_follow_up`: which follow-up a succeeded execution plans, the next nudge about a quote or the reminder of a visit, in the statement
 * that ends the execution. A test plans none, and cancels none. follow-up.test.ts of the workflows module compares the two over every combination. Rules: docs/behaviour/executions.md.
 */

export type FollowUpRequest = {
  kind: 'nudge' | 'reminder';
  /** The customer has answered the quote; of nudges only. */
  isAnswered: boolean;
  /** The visit was cancelled; of reminders only. */
  isCancelled: boolean;
  /** The requested time; null when the output has none, or no valid one. */
  requestedAt: Date | null;
  /** When the execution started. */
  startedAt: Date;
  /** The service planned the run; it did not begin with an event. */
  isPlanned: boolean;
  now: Date;
};

/** A planned run of the same workflow and subject: the quote, booking or visit by the values that were understood of the event. */
export type KnownRun = {
  status: 'waiting' | 'started' | 'skipped' | 'cancelled' | 'missed';
  reason: string | null;
  origin: 'bookings' | 'run';
  dueAt: Date;
  endedAt: Date | null;
  /** An event requested or cancelled it that was accepted after the one of the request. */
  isNewer: boolean;
};

export type FollowUp = {
  /** Why waiting planned runs of the subject are cancelled, but for reminders from the poll of bookings; null: they are left. */
  cancels: 'answered' | 'no_longer_due' | 'replaced' | null;
  /** The planned run to add, or to set waiting again; null for none. After `lastAt` it is too late to start. */
  plans: { dueAt: Date; lastAt: Date } | null;
  /** The event is recorded as a cancelled planned run with the reason, so that a run in progress that an earlier one brought plans no next one. */
  isRecorded: boolean;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A flow's output is untrusted: a time further ahead is ignored. */
export const FOLLOW_UP_DAYS_MAX = 400;
/** Started planned runs per subject, a bound on loops: a template has six nudges at most. */
export const FOLLOW_UPS_MAX = 24;
const LATE_MS = { nudge: 7 * DAY_MS, reminder: REMINDER_LATE_MINUTES_MAX * MINUTE_MS };

/** Returns what a succeeded execution changes in the plan of its subject. */
export function decideFollowUp(request: FollowUpRequest, known: readonly KnownRun[]): FollowUp {
  const { kind, requestedAt } = request;
  const isAnswered = kind === 'nudge' && request.isAnswered;
  // A later event decides, whichever run ends first. An answer counts in any order.
  if (!isAnswered && known.some((run) => run.isNewer)) return { cancels: null, plans: null, isRecorded: false };
  const cancels = isAnswered ? 'answered' : kind === 'reminder' && request.isCancelled ? 'no_longer_due' : 'replaced';
  // The poll of bookings plans the reminders of bookings it knows.
  if (kind === 'reminder' && known.some((run) => run.origin === 'bookings')) return { cancels, plans: null, isRecorded: false };
  if (cancels !== 'replaced' || requestedAt === null || !isDue(requestedAt, request, known))
    return { cancels, plans: null, isRecorded: !request.isPlanned };
  const plans = isPlannable(requestedAt, known) ? { dueAt: requestedAt, lastAt: new Date(requestedAt.getTime() + LATE_MS[kind]) } : null;
  return { cancels, plans, isRecorded: false };
}

function isDue(at: Date, { kind, startedAt, now }: FollowUpRequest, known: readonly KnownRun[]): boolean {
  if (at <= now || at.getTime() > now.getTime() + FOLLOW_UP_DAYS_MAX * DAY_MS) return false;
  // An answer that arrived while this nudge was in progress.
  return !(kind === 'nudge' && known.some((run) => isAnswer(run) && run.endedAt !== null && run.endedAt >= startedAt));
}

function isPlannable(at: Date, known: readonly KnownRun[]): boolean {
  if (known.filter((run) => run.status === 'started').length >= FOLLOW_UPS_MAX) return false;
  // One run per due time: only a cancelled one is planned again. Waiting ones have just been replaced.
  const same = known.find((run) => run.dueAt.getTime() === at.getTime());
  return same === undefined || same.status === 'cancelled' || same.status === 'waiting';
}

function isAnswer({ status, reason }: KnownRun): boolean {
  return status === 'cancelled' && reason === 'answered';
}
