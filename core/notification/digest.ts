/** Local hour at which the daily digest is due. */
export const DIGEST_HOUR = 8;

/** Returns the local date once `DIGEST_HOUR` has passed in the time zone, else null; null for an unknown zone. */
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
