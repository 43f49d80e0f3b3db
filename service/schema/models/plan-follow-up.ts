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
  now: Date;
};

/** A planned run of the same workflow and subject: the quote, booking or visit by the values that were understood of the event. */
export type KnownRun = {
  status: 'waiting' | 'started' | 'skipped' | 'cancelled' | 'missed';
  reason: string | null;
  origin: 'bookings' | 'run';
  dueAt: Date;
  endedAt: Date | null;
};

export type FollowUp = {
  /** Why waiting planned runs of the subject are cancelled, but for reminders from the poll of bookings. */
  cancels: 'answered' | 'no_longer_due' | 'replaced';
  /** The planned run to add, or to set waiting again; null for none. After `lastAt` it is too late to start. */
  plans: { dueAt: Date; lastAt: Date } | null;
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
  if (kind === 'nudge' && request.isAnswered) return { cancels: 'answered', plans: null };
  if (kind === 'reminder' && request.isCancelled) return { cancels: 'no_longer_due', plans: null };
  const cancels = 'replaced';
  if (requestedAt === null || !isPlannable(requestedAt, request, known)) return { cancels, plans: null };
  return { cancels, plans: { dueAt: requestedAt, lastAt: new Date(requestedAt.getTime() + LATE_MS[kind]) } };
}

function isPlannable(at: Date, { kind, startedAt, now }: FollowUpRequest, known: readonly KnownRun[]): boolean {
  if (at <= now || at.getTime() > now.getTime() + FOLLOW_UP_DAYS_MAX * DAY_MS) return false;
  // An answer that arrived while this nudge was in progress.
  if (kind === 'nudge' && known.some((run) => isAnswer(run) && run.endedAt !== null && run.endedAt >= startedAt)) return false;
  // The poll of bookings plans the reminders of bookings it knows.
  if (kind === 'reminder' && known.some((run) => run.origin === 'bookings')) return false;
  if (known.filter((run) => run.status === 'started').length >= FOLLOW_UPS_MAX) return false;
  // One run per due time: only a cancelled one is planned again. Waiting ones have just been replaced.
  const same = known.find((run) => run.dueAt.getTime() === at.getTime());
  return same === undefined || same.status === 'cancelled' || same.status === 'waiting';
}

function isAnswer({ status, reason }: KnownRun): boolean {
  return status === 'cancelled' && reason === 'answered';
}
