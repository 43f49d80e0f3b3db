const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/** Returns the first day that a text names as YYYY-MM-DD: a date, today, tomorrow, or the next such weekday. */
export function dateIn(text: string, now: Date): string | undefined {
  const iso = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text)?.[1];
  if (iso !== undefined) return iso;
  const lower = text.toLowerCase();
  if (/\btomorrow\b/.test(lower)) return dayOf(new Date(now.getTime() + DAY_MS));
  if (/\btoday\b/.test(lower)) return dayOf(now);
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(String.raw`\b${name}\b`).test(lower));
  if (weekday >= 0) return dayOf(new Date(now.getTime() + (((weekday - now.getUTCDay() + 6) % 7) + 1) * DAY_MS));
  const written = /\b([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b|\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3})[a-z]*\b/.exec(
    lower,
  );
  const month = MONTHS.indexOf(written?.[1] ?? written?.[4] ?? '');
  const day = Number(written?.[2] ?? written?.[3]);
  if (month < 0 || !(day >= 1 && day <= 31)) return undefined;
  const thisYear = new Date(Date.UTC(now.getUTCFullYear(), month, day));
  return dayOf(dayOf(thisYear) < dayOf(now) ? new Date(Date.UTC(now.getUTCFullYear() + 1, month, day)) : thisYear);
}

/** Returns the first time of day that a text names as HH:MM. */
export function timeIn(text: string): string | undefined {
  const found = /\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b/i.exec(text) ?? /\b([01]?\d|2[0-3]):([0-5]\d)\b/.exec(text);
  const plain = found ?? /\bat\s+(\d{1,2})\b(?!\s*(?:st|nd|rd|th|[./-]))/i.exec(text);
  if (plain === null) return undefined;
  const [, hours = '', minutes = '00', half = ''] = plain;
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return hour > 23 ? undefined : `${String(hour).padStart(2, '0')}:${minutes}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
