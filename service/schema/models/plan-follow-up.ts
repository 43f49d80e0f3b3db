import { REMINDER_LATE_MINUTES_MAX } from '@partner-portal/core/schedule/booking-reminder.ts';

/**
 * Model of the SQL function `plan_follow_up`: which follow-ups an execution plans, succeeded or failed, the next nudges about a quote or reminders of a visit, in the
 * statement that ends it. A test plans none, and cancels none. follow-up.test.ts of the workflows module compares the two over every combination of
 * events with a date; what one without a date keeps of the plan before it, and of an answer, is a test of its own. Rules: docs/behaviour/executions.md.
 */

export type FollowUpRequest = {
  kind: 'nudge' | 'reminder';
  /** The customer has answered the quote; of nudges only. */
  isAnswered: boolean;
  /** The visit was cancelled; of reminders only. */
  isCancelled: boolean;
  /** The requested times that are valid. */
  requested: readonly Date[];
  /** The service planned the run; it did not begin with an event. */
  isPlanned: boolean;
  /** A poll of bookings plans the reminders of the agent: its schedule is on, and no other client shares its key. */
  isPolled: boolean;
  now: Date;
};

/** A planned run of the same workflow and subject: the quote, booking or visit by the values that were understood of the event. */
export type KnownRun = {
  status: 'waiting' | 'started' | 'skipped' | 'cancelled' | 'missed';
  reason: string | null;
  origin: 'bookings' | 'run';
  dueAt: Date;
  /** An event requested or cancelled it that was accepted after the one of the request. */
  isNewer: boolean;
};

export type FollowUp = {
  /** Why waiting planned runs of the subject are cancelled, but for reminders from a poll of bookings that is on; null: they are left. */
  cancels: 'answered' | 'no_longer_due' | 'replaced' | null;
  /** The planned runs to add, or to set waiting again, in their order. After `lastAt` it is too late to start. */
  plans: { dueAt: Date; lastAt: Date }[];
  /** The reason with which the event is recorded as a cancelled planned run, so that a run in progress that an earlier one brought plans no next one; null: it is not. */
  records: 'answered' | 'no_longer_due' | 'replaced' | 'done' | null;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A flow's output is untrusted: a time further ahead is ignored. */
export const FOLLOW_UP_DAYS_MAX = 400;
/** Started planned runs per subject, a bound on loops: a template has six nudges at most. */
export const FOLLOW_UPS_MAX = 24;
const LATE_MS = { nudge: 7 * DAY_MS, reminder: REMINDER_LATE_MINUTES_MAX * MINUTE_MS };

/** Returns what an execution changes in the plan of its subject. */
export function decideFollowUp(request: FollowUpRequest, known: readonly KnownRun[]): FollowUp {
  const { kind, requested } = request;
  const isAnswered = kind === 'nudge' && request.isAnswered;
  // A later event decides, whichever run ends first: a quote may be sent again after its answer.
  if (known.some((run) => run.isNewer)) return { cancels: null, plans: [], records: null };
  const cancels = isAnswered ? 'answered' : kind === 'reminder' && request.isCancelled ? 'no_longer_due' : 'replaced';
  // The poll of bookings plans the reminders of bookings it knows.
  if (kind === 'reminder' && request.isPolled && known.some((run) => run.origin === 'bookings'))
    return { cancels, plans: [], records: null };
  const due = cancels === 'replaced' ? requested.filter((at) => isDue(at, request.now)) : [];
  // A quote has no nudge left: a later event without a day plans none either.
  const records = kind === 'nudge' && cancels === 'replaced' ? 'done' : cancels;
  if (due.length === 0) return { cancels, plans: [], records: request.isPlanned && records !== 'done' ? null : records };
  const times = due.filter((at) => isPlannable(at, known)).toSorted((one, other) => one.getTime() - other.getTime());
  return { cancels, plans: times.map((at) => ({ dueAt: at, lastAt: new Date(at.getTime() + LATE_MS[kind]) })), records: null };
}

function isDue(at: Date, now: Date): boolean {
  return at > now && at.getTime() <= now.getTime() + FOLLOW_UP_DAYS_MAX * DAY_MS;
}

function isPlannable(at: Date, known: readonly KnownRun[]): boolean {
  if (known.filter((run) => run.status === 'started').length >= FOLLOW_UPS_MAX) return false;
  // One run per due time: only a cancelled one is planned again. Waiting ones have just been replaced.
  const same = known.find((run) => run.dueAt.getTime() === at.getTime());
  return same === undefined || same.status === 'cancelled' || same.status === 'waiting';
}
