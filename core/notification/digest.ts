import { localTime } from '../schedule/schedule.ts';

/** Local hour at which the daily digest is due. */
const DIGEST_HOUR = 8;

/** Returns the local date once `DIGEST_HOUR` has passed in the time zone, else null; null for an unknown zone. */
export function digestDay(timezone: string, now: Date): string | null {
  try {
    const local = localTime(now, timezone);
    return local.hour >= DIGEST_HOUR ? local.toPlainDate().toString() : null;
  } catch {
    return null;
  }
}
