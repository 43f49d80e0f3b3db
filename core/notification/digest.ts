/** The hour of the morning at which the daily mail is due. */
export const DIGEST_HOUR = 8;

/** The day of a zone's own calendar if its morning has come, else null; null too for a zone nobody knows. */
export function digestDay(timezone: string, now: Date): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
    return Number(part('hour')) >= DIGEST_HOUR ? `${part('year')}-${part('month')}-${part('day')}` : null;
  } catch {
    return null;
  }
}
