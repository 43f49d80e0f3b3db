/** Returns a month as readers write it: "October 2026". `tag`: their language and region. */
export function monthName(month: string, tag: string, length: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(tag, { month: length, year: length === 'long' ? 'numeric' : '2-digit', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

/** Returns the name of a weekday, 1 for Monday. */
export function weekdayName(weekday: number, tag: string): string {
  // 2024 began on a Monday.
  return new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, weekday)));
}
