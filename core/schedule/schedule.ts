import type { ScheduleKind, ScheduleUnit } from '@partner-portal/contract/vocabulary.ts';
import { checkInput } from '../template/settings.ts';
import type { JsonObject, Template } from '../template/types.ts';

/**
 * When an agent's clock strikes. The service is the clock, never the engine (product.md §9, row 16). Pure and browser-safe:
 * time zones come from Intl, the present from the caller. Source: product.md §5.4.
 */

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

function openZone(timezone: string): Zone {
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

/** What a run by the clock goes in with: the day, as the zone's calendar has it, where the template asks for one. */
export function scheduleInput(template: Template, at: Date, timezone: string): JsonObject {
  if (!template.inputs.some((input) => input.key === 'runDate')) return {};
  return { runDate: new Date(openZone(timezone).wallOf(at.getTime())).toISOString().slice(0, 10) };
}

/** What each run needs that no clock can know, such as a caller's number; empty when the agent may have a schedule. */
export function missingOfSchedule(template: Template): { key: string; label: string }[] {
  // Each of its runs is filled from a booking.
  if (template.looksAt !== undefined) return [];
  const check = checkInput(template, scheduleInput(template, new Date(0), 'UTC'));
  return check.ok ? [] : check.missing.map(({ key, label }) => ({ key, label }));
}

/** What a schedule of this template does. */
export function scheduleKind(template: Template): ScheduleKind {
  if (template.looksAt !== undefined) return template.looksAt;
  return missingOfSchedule(template).length > 0 ? 'events' : 'run';
}

/** The schedule that the template suggests, in the time zone of its business; null when it suggests none or could not run by it. */
export function suggestedRule(template: Template, timezone: string): ScheduleRule | null {
  const every = template.suggestedSchedule;
  if (every === undefined || missingOfSchedule(template).length > 0) return null;
  return { every, at: every === 'hour' ? '00:00' : '07:00', weekdays: every === 'week' ? [1] : [], timezone };
}
