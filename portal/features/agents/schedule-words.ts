import type { Schedule } from '../../queries/agents.ts';

export type Rule = NonNullable<Schedule['suggested']>;

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** What a new schedule begins with when the template suggests none. */
export const PLAIN_RULE: Omit<Rule, 'timezone'> = { every: 'day', at: '07:00', weekdays: [] };

/** A schedule as one says it: "every Monday at 07:00", "every hour at :15". */
export function sayRule({ every, at, weekdays }: Rule): string {
  const days = weekdays.map((day) => WEEKDAYS[day - 1] ?? '');
  const on =
    days.length === 0 || days.length === 7 ? '' : days.length === 1 ? days[0] : `${days.slice(0, -1).join(', ')} and ${days.at(-1)}`;
  if (every === 'hour') return `every hour at :${at.slice(3)}${on ? `, on ${on}` : ''}`;
  return `every ${on || 'day'} at ${at}`;
}

/** Why a moment passed without a run. */
export function saySkipped(reason: string | null): string {
  return (reason !== null && REASONS[reason]) || 'it could not be started';
}

/** Why bookings could not be read. */
export function sayLookProblem(reason: string | null): string {
  return (reason !== null && LOOK_PROBLEMS[reason]) || 'the bookings could not be read';
}

const LOOK_PROBLEMS: Record<string, string> = {
  key_missing: 'no Cal.com key is saved',
  key_refused: 'Cal.com refused the key',
  too_fast: 'Cal.com asked to wait',
  provider_down: 'Cal.com had a fault of its own',
  provider_unreachable: 'Cal.com could not be reached',
  answer_unreadable: 'the answer of Cal.com could not be read',
  too_many_bookings: 'there are more bookings than are read at once; those that come first are reminded of',
};

type PlannedRun = Schedule['planned']['recent'][number];

/** What became of a planned run that is over. */
export function sayPlannedEnd({ status, reason }: Pick<PlannedRun, 'status' | 'reason'>): string {
  if (status === 'started') return 'began';
  if (status === 'missed') return reason === 'too_late' ? 'missed: it would have come too late' : 'missed: nobody knows whether it began';
  const why = (reason !== null && PLANNED_ENDS[reason]) || saySkipped(reason);
  return status === 'cancelled' ? `cancelled: ${why}` : `skipped: ${why}`;
}

const PLANNED_ENDS: Record<string, string> = {
  answered: 'the quote was answered',
  schedule_off: 'the schedule was switched off',
};

const REASONS: Record<string, string> = {
  workflow_inactive: 'the agent was switched off or not set up yet',
  account_suspended: 'the account was suspended',
  quota_exceeded: 'the credits of the period were used',
  missing_input: 'the run lacked a value it needs',
};
