import { dateFormat } from '../../ui/text/intl.ts';
/** Months of a report, `YYYY-MM`. */
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const SHOWN_MAX = 60;

export function monthParam(value: unknown): string | undefined {
  return typeof value === 'string' && MONTH.test(value) ? value : undefined;
}

/** Returns the month of a moment in a time zone; UTC where the browser does not know it. */
export function monthAt(iso: string, timezone: string): string {
  const options = { year: 'numeric', month: '2-digit' } as const;
  try {
    return dateFormat('en-CA', { ...options, timeZone: timezone })
      .format(new Date(iso))
      .slice(0, 7);
  } catch {
    return new Date(iso).toISOString().slice(0, 7);
  }
}

/** Returns the months from the first one to the last, newest first; the newest sixty of them. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = last; month >= first && months.length < SHOWN_MAX; month = previousMonth(month)) months.push(month);
  return months;
}

export function previousMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** "October 2026", or what else is asked for. */
export function formatMonth(month: string, tag: string, options: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' }): string {
  return dateFormat(tag, { ...options, timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
}

/** The name of a weekday, 1 for Monday. */
export function formatWeekday(weekday: number, tag: string, style: 'long' | 'short'): string {
  // 5 January 2026 is a Monday.
  return dateFormat(tag, { weekday: style, timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 0, 4 + weekday)));
}

/** "14:00" or "2 PM", as the reader writes it. */
export function formatHour(hour: number, tag: string): string {
  return dateFormat(tag, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 0, 5, hour)));
}
