import { Temporal } from 'temporal-polyfill';
import { localTime } from './schedule.ts';
import { readTimeRange } from './time-range.ts';

/** Planned texts and the quiet hours of an agent. The steps of agents make the same plan (catalog/parts/sms.js); a test compares the two. */

export type QuietHours = {
  /** `21:00-08:00`, over midnight too; empty: none. */
  range: string;
  /** IANA name. */
  timezone: string;
};

/** A text goes out up to an hour late, and still before quiet hours begin. */
const BEFORE_MINUTES_MAX = 60;
const DAY_MINUTES = 24 * 60;
/** Quiet hours are shorter than a day. */
export const QUIET_SHIFT_HOURS_MAX = 25;

/** Returns the moment itself, or an hour before the quiet hours begin that it falls into. */
export function outsideQuietHours(at: Date, { range, timezone }: QuietHours): Date {
  const quiet = readTimeRange(range);
  if (quiet === null || quiet.from === quiet.to) return at;
  const local = localTime(at, timezone);
  const minutes = local.hour * 60 + local.minute;
  const isEvening = minutes >= quiet.from;
  const isQuiet = quiet.from < quiet.to ? isEvening && minutes < quiet.to : isEvening || minutes < quiet.to;
  if (!isQuiet) return at;
  const day = isEvening ? local.toPlainDate() : local.toPlainDate().subtract({ days: 1 });
  const plainTime = Temporal.PlainTime.from({ hour: Math.floor(quiet.from / 60), minute: quiet.from % 60 });
  const awake = (quiet.from - quiet.to + DAY_MINUTES) % DAY_MINUTES;
  const before = day.toZonedDateTime({ timeZone: local.timeZoneId, plainTime }).subtract({ minutes: Math.min(BEFORE_MINUTES_MAX, awake) });
  return new Date(before.epochMilliseconds);
}
