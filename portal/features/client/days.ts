import type { Messages } from '@partner-portal/messages/messages.ts';
import { asHeading, dayKey, isSameDay } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';

/** The heading of a day: today, yesterday, or its date in the reader's language. */
export function dayHeading({ t, tag, timezone }: Messages, iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (isSameDay(at, now, timezone)) return t('trust.today');
  if (isYesterday(at, now, timezone)) return t('trust.yesterday');
  const year = dayKey(at, timezone).slice(0, 4) === dayKey(now, timezone).slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return asHeading(dateFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', ...year, timeZone: timezone }).format(at), tag);
}

/** Whether it is the calendar day before, which began 23 to 25 hours before this one. */
export function isYesterday(at: Date, now: Date, timezone?: string): boolean {
  const day = new Date(`${dayKey(now, timezone)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return dayKey(at, timezone) === day.toISOString().slice(0, 10);
}

export function dateOf({ tag, timezone }: Messages, iso: string): string {
  return dateFormat(tag, { dateStyle: 'medium', timeZone: timezone }).format(new Date(iso));
}

/** The name of a date's month, or of one some months later. */
export function monthName(date: string, tag: string, later = 0): string {
  const at = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + later);
  return dateFormat(tag, { month: 'long', timeZone: 'UTC' }).format(at);
}

type CountedDay = { date: string; results: number; failed: number };

/** The days of the month of the last day, which is today. */
export function daysOfThisMonth(days: readonly CountedDay[]): CountedDay[] {
  const month = days.at(-1)?.date.slice(0, 7);
  return days.filter(({ date }) => date.slice(0, 7) === month).map(({ date, results, failed }) => ({ date, results, failed }));
}
