import type { Share } from './money.ts';

/** A billing period: from `start` (included) to `end` (excluded), instants in UTC. */
export type Period = { start: Date; end: Date };

const DAY_MS = 86_400_000;

/**
 * Returns the instant `months` months after the anchor (UTC), the day clamped to the month's length: 31 January, 28 February, 31 March.
 * The SQL function `period_boundary` computes the same.
 */
export function periodBoundary(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  return new Date(
    Date.UTC(year, month, day, anchor.getUTCHours(), anchor.getUTCMinutes(), anchor.getUTCSeconds(), anchor.getUTCMilliseconds()),
  );
}

/** Returns the first boundary of the anchor after `instant`. */
export function nextBoundary(anchor: Date, instant: Date): Date {
  let months = (instant.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + instant.getUTCMonth() - anchor.getUTCMonth();
  while (periodBoundary(anchor, months) > instant) months -= 1;
  while (periodBoundary(anchor, months) <= instant) months += 1;
  return periodBoundary(anchor, months);
}

/** Returns the period that begins where the given one ends. */
export function nextPeriod(anchor: Date, { end }: Period): Period {
  return { start: end, end: nextBoundary(anchor, end) };
}

/** Returns the UTC days a period touches: the day of its end counts only from its midnight, so that adjacent periods share no day. */
export function daysOf({ start, end }: Period): number {
  return dayNumber(end) - dayNumber(start);
}

/**
 * Returns what is left of a period at `now`: whole UTC days, today included, of the days of the period. At least 1 and at most all of
 * them; a period within one day has one.
 */
export function shareLeft(period: Period, now: Date): Share {
  const of = Math.max(1, daysOf(period));
  return { days: Math.min(of, Math.max(1, dayNumber(period.end) - dayNumber(now))), of };
}

/** The number of the UTC day since 1970. */
function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
