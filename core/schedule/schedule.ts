import type { ScheduleUnit } from '@partner-portal/contract/vocabulary.ts';
import { Temporal } from 'temporal-polyfill';

/** Computes when a schedule is due. The service keeps time, never the engine. See docs/behaviour/agents.md. */

export type ScheduleRule = {
  every: ScheduleUnit;
  /** `HH:MM` in local time; an hourly rule uses only the minutes. */
  at: string;
  /** 1 is Monday, 7 is Sunday. Empty: every day. A weekly rule has at least one. */
  weekdays: readonly number[];
  /** IANA name. */
  timezone: string;
};

/** Two weeks and a day: a weekday whose date the zone skipped recurs within. */
const DAYS_AHEAD = 15;
const DAY_MS = 86_400_000;

/**
 * Returns the first due time after `after`. When the clock jumps forward over the time of a daily rule, it is due that much later; when
 * the clock is turned back and shows the time twice, it is due the first time only. An hourly rule is due in every elapsed hour.
 * Throws RangeError for an invalid rule.
 */
export function nextRunAt(rule: ScheduleRule, after: Date): Date {
  const time = Temporal.PlainTime.from(rule.at);
  const from = localTime(after, rule.timezone);
  const next = rule.every === 'hour' ? nextHour(rule, time.minute, from) : nextDay(rule, time, from);
  return new Date(next.epochMilliseconds);
}

/** Returns the newest due time up to `now`, `dueAt` at the least: after downtime one execution stands for all due times that were missed. */
export function latestDue(rule: ScheduleRule, dueAt: Date, now: Date): Date {
  let latest = dueAt;
  // Any rule is due within these days, so those before need no walk.
  const from = new Date(Math.max(dueAt.getTime(), now.getTime() - DAYS_AHEAD * DAY_MS));
  for (let next = nextRunAt(rule, from); next <= now; next = nextRunAt(rule, next)) latest = next;
  return latest;
}

/** Returns the local time in a zone. Throws RangeError for an unknown zone. */
export function localTime(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}

function nextDay(rule: ScheduleRule, plainTime: Temporal.PlainTime, after: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  // From the day before, since a time that the clock jumped over may fall on the next day.
  for (let days = -1; days <= DAYS_AHEAD; days += 1) {
    const date = after.toPlainDate().add({ days });
    if (!isDueOn(rule, date)) continue;
    const next = date.toZonedDateTime({ timeZone: rule.timezone, plainTime });
    if (next.epochMilliseconds > after.epochMilliseconds) return next;
  }
  throw new RangeError('The schedule has no due day.');
}

function nextHour(rule: ScheduleRule, minute: number, after: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  let next = after.round({ smallestUnit: 'minute', roundingMode: 'floor' }).add({ minutes: 1 });
  for (let tries = 0; tries < DAYS_AHEAD * 24 * 2; tries += 1) {
    // Adds elapsed minutes and checks again, since the clock may change by half an hour in between.
    const minutes = (minute - next.minute + 60) % 60;
    if (minutes > 0) next = next.add({ minutes });
    else if (isDueOn(rule, next.toPlainDate())) return next;
    else next = next.add({ hours: 1 });
  }
  throw new RangeError('The schedule has no due day.');
}

function isDueOn(rule: ScheduleRule, date: Temporal.PlainDate): boolean {
  return rule.weekdays.length === 0 || rule.weekdays.includes(date.dayOfWeek);
}
