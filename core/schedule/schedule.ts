import type { ScheduleUnit } from '@partner-portal/contract/vocabulary.ts';

/** Computes when a schedule is due. The service keeps time, never the engine. */

export type ScheduleRule = {
  every: ScheduleUnit;
  /** `HH:MM` of the zone's own clock; of an hourly rule only the minutes count. */
  at: string;
  /** 1 is Monday, 7 is Sunday. Empty: every day. A weekly rule names one or more. */
  weekdays: readonly number[];
  /** IANA name. */
  timezone: string;
};

const MINUTE_MS = 60_000;

const DAY_MS = 86_400_000;

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Two weeks and a day: a weekday whose only moment was skipped by the calendar comes round again within. */
const DAYS_AHEAD = 15;

/**
 * The first moment after `after`. Where the clock jumps forward over the time of a daily rule, it strikes that much later on the
 * same day; where the clock is turned back and shows the time twice, only the first counts. An hourly rule strikes in every real hour.
 * Throws RangeError for a rule that is no rule.
 */
export function nextRunAt(rule: ScheduleRule, after: Date): Date {
  const [hour, minute] = readClock(rule.at);
  const zone = openZone(rule.timezone);
  return rule.every === 'hour' ? nextHour(rule, zone, minute, after) : nextDay(rule, zone, hour * 60 + minute, after);
}

function nextDay(rule: ScheduleRule, zone: Zone, minuteOfDay: number, after: Date): Date {
  // One day back, since a moment that the clock jumped over may fall on the day after.
  const today = Math.floor(zone.wallOf(after.getTime()) / DAY_MS) - 1;
  for (let day = today; day <= today + DAYS_AHEAD; day += 1) {
    if (!isOn(rule, day)) continue;
    const moment = zone.momentOf(day * DAY_MS + minuteOfDay * MINUTE_MS);
    if (moment > after.getTime()) return new Date(moment);
  }
  throw new RangeError('The schedule names no day.');
}

function nextHour(rule: ScheduleRule, zone: Zone, minute: number, after: Date): Date {
  let moment = (Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
  for (let tries = 0; tries < DAYS_AHEAD * 24 * 2; tries += 1) {
    const wall = zone.wallOf(moment);
    // Steps to the minute by real time and looks again, since a clock may be set by half an hour on the way.
    const wait = (minute - (Math.floor(wall / MINUTE_MS) % 60) + 60) % 60;
    if (wait > 0) moment += wait * MINUTE_MS;
    else if (isOn(rule, Math.floor(wall / DAY_MS))) return new Date(moment);
    else moment += 60 * MINUTE_MS;
  }
  throw new RangeError('The schedule names no day.');
}

function isOn(rule: ScheduleRule, day: number): boolean {
  // Day 0 of the epoch was a Thursday.
  return rule.weekdays.length === 0 || rule.weekdays.includes(((((day + 3) % 7) + 7) % 7) + 1);
}

function readClock(at: string): [number, number] {
  const [, hour, minute] = CLOCK.exec(at) ?? [];
  if (hour === undefined || minute === undefined) throw new RangeError(`“${at}” is no time of day.`);
  return [Number(hour), Number(minute)];
}

type Zone = {
  /** What the zone's clock shows at a moment, as if it were UTC. */
  wallOf(moment: number): number;
  /** When the clock shows this: the first of two moments; for one that never comes, as much later as the clock jumped. */
  momentOf(wall: number): number;
};

const formats = new Map<string, Intl.DateTimeFormat>();

export function openZone(timezone: string): Zone {
  const format = formats.get(timezone) ?? createFormat(timezone);
  formats.set(timezone, format);
  const wallOf = (moment: number): number => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  return {
    wallOf,
    momentOf(wall) {
      // The offsets a day before and after bracket any change of the clock between them.
      const before = wallOf(wall - DAY_MS) - (wall - DAY_MS);
      const later = wallOf(wall + DAY_MS) - (wall + DAY_MS);
      const found = [wall - before, wall - later].filter((moment) => wallOf(moment) === wall);
      return found.length > 0 ? Math.min(...found) : wall - before;
    },
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
