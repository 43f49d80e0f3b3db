import { Temporal } from 'temporal-polyfill';
import { localTime } from './schedule.ts';

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
  const quiet = readRange(range);
  if (quiet === null) return at;
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

function readRange(range: string): { from: number; to: number } | null {
  const found = /^(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)$/.exec(range.trim());
  if (found === null) return null;
  const [from, to] = [Number(found[1]) * 60 + Number(found[2]), Number(found[3]) * 60 + Number(found[4])];
  return from === to || from >= DAY_MINUTES || to >= DAY_MINUTES ? null : { from, to };
}
