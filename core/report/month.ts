import { Temporal } from 'temporal-polyfill';
import { localTime } from '../schedule/schedule.ts';

/** Months of a client, `YYYY-MM`, in its time zone. */

/** Hour at which the report of a finished month is sent. */
const SENT_AT_HOUR = 9;
/** Days after that moment in which it may still be sent. */
export const CATCH_UP_DAYS = 10;

/** Returns the zone, or UTC when the runtime does not know it. */
export function knownZone(timezone: string): string {
  try {
    localTime(new Date(0), timezone);
    return timezone;
  } catch {
    return 'UTC';
  }
}

/** Returns the month in which a moment lies. */
export function monthOf(at: Date, timezone: string): string {
  return localTime(at, knownZone(timezone)).toPlainDate().toPlainYearMonth().toString();
}

/** Returns the month this number of months later, or earlier when negative. */
export function addMonths(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** Returns the first moment of a month. */
export function startOfMonth(month: string, timezone: string): Date {
  const start = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 }).toZonedDateTime(knownZone(timezone));
  return new Date(start.epochMilliseconds);
}

type Asked = { month: string | undefined; now: Date; createdAt: Date; timezone: string };

/**
 * Returns the month a report is about: the one asked for, else the newest that has ended, or the running one for a client created in it.
 * `too_early`: before the client was created; `not_begun`: after the running month.
 */
export function chooseMonth({
  month,
  now,
  createdAt,
  timezone,
}: Asked): { month: string; isFinished: boolean } | 'too_early' | 'not_begun' {
  const running = monthOf(now, timezone);
  const created = monthOf(createdAt, timezone);
  if (month === undefined) {
    const last = addMonths(running, -1);
    return last < created ? { month: running, isFinished: false } : { month: last, isFinished: true };
  }
  if (month > running) return 'not_begun';
  if (month < created) return 'too_early';
  return { month, isFinished: month < running };
}

/** Returns the months up to this one, oldest first: twelve at most, none before `first`. */
export function trendMonths(month: string, first: string): string[] {
  return Array.from({ length: 12 }, (_, index) => addMonths(month, index - 11)).filter((one) => one >= first || one === month);
}

/**
 * Returns the month whose report is sent in this zone now, and since when: from 9:00 on the first day of the following month that is none of
 * a weekend, for ten days. Null before and after.
 */
export function dueReport(now: Date, timezone: string): { month: string; dueSince: Date } | null {
  const zone = knownZone(timezone);
  const local = localTime(now, zone);
  const first = local.toPlainDate().with({ day: 1 });
  const day = first.add({ days: first.dayOfWeek > 5 ? 8 - first.dayOfWeek : 0 });
  const dueSince = day.toZonedDateTime({ timeZone: zone, plainTime: { hour: SENT_AT_HOUR } });
  if (local.epochMilliseconds < dueSince.epochMilliseconds) return null;
  if (local.epochMilliseconds >= dueSince.add({ days: CATCH_UP_DAYS }).epochMilliseconds) return null;
  return { month: addMonths(first.toPlainYearMonth().toString(), -1), dueSince: new Date(dueSince.epochMilliseconds) };
}
