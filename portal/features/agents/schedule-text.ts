import type { Schedule } from '../../queries/agents.ts';

export type Rule = NonNullable<Schedule['suggested']>;

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Default rule when the template suggests none. */
export const DEFAULT_RULE: Omit<Rule, 'timezone'> = { every: 'day', at: '07:00', weekdays: [] };

/** Returns a schedule as text: "every Monday at 07:00", "every hour at :15". */
export function ruleText({ every, at, weekdays }: Rule): string {
  const days = weekdays.map((day) => WEEKDAYS[day - 1] ?? '');
  const on =
    days.length === 0 || days.length === 7 ? '' : days.length === 1 ? days[0] : `${days.slice(0, -1).join(', ')} and ${days.at(-1)}`;
  if (every === 'hour') return `every hour at :${at.slice(3)}${on ? `, on ${on}` : ''}`;
  return `every ${on || 'day'} at ${at}`;
}

/** Returns why an occurrence was skipped. */
export function skipText(reason: string | null): string {
  return (reason !== null && REASONS[reason]) || 'it could not be started';
}

/** Returns why a booking check failed. */
export function checkProblemText(reason: string | null): string {
  return (reason !== null && CHECK_PROBLEMS[reason]) || 'the bookings could not be read';
}

const CHECK_PROBLEMS: Record<string, string> = {
  key_missing: 'no Cal.com key is saved',
  key_refused: 'Cal.com refused the key',
  key_shared:
    'several clients use the agency’s default Cal.com key, so no one knows whose bookings these are and no reminder is planned; give each client its own key',
  too_fast: 'Cal.com is rate limiting us',
  provider_down: 'Cal.com returned a server error',
  provider_unreachable: 'Cal.com could not be reached',
  answer_unreadable: 'the response from Cal.com could not be read',
  too_many_bookings: 'there are more bookings than one check reads; the earliest ones get reminders',
};

type PlannedRun = Schedule['planned']['recent'][number];

/** Returns the outcome of a planned execution that is over. */
export function plannedOutcomeText({ status, reason }: Pick<PlannedRun, 'status' | 'reason'>): string {
  const why = (reason !== null && PLANNED_ENDS[reason]) || skipText(reason);
  switch (status) {
    case 'waiting':
      return 'waiting';
    case 'started':
      return 'started';
    case 'missed':
      return reason === 'too_late' ? 'missed: it was too late' : 'missed: it may or may not have started';
    case 'cancelled':
    case 'skipped':
      return `${status}: ${why}`;
  }
}

const PLANNED_ENDS: Record<string, string> = {
  answered: 'the quote was answered',
  earlier_waits: 'an earlier one of the same person still waited to be sent',
  later_is_due: 'a later one of the same person was due as well',
  schedule_off: 'the schedule was turned off',
};

const REASONS: Record<string, string> = {
  workflow_inactive: 'the agent was off or not set up yet',
  account_suspended: 'the account was suspended',
  quota_exceeded: 'no credits were left',
  missing_input: 'a required value was missing',
  invalid_input: 'a value could not be understood',
};
