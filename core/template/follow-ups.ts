import { latestBookingStart } from '../schedule/booking-reminder.ts';
import { QUIET_SHIFT_HOURS_MAX } from '../schedule/quiet-hours.ts';
import { fillConfig } from './settings.ts';
import type { Template } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns whether runs of a template ask for later ones about the same quote or visit (service/schema/functions/workflows/plan_follow_up.sql). */
export function plansFollowUps({ result }: Pick<Template, 'result'>): boolean {
  return 'nextNudgeAt' in result || 'nextReminderAt' in result;
}

/** Returns the plan that an event ends, by its canonical values: the nudges of a quote that was answered, the reminders of a visit that was cancelled. Its run contacts no one. */
export function endedPlan({ result }: Pick<Template, 'result'>, input: { readonly [key: string]: unknown }): 'nudge' | 'reminder' | null {
  if ('nextNudgeAt' in result && input['answered'] === true) return 'nudge';
  return 'nextReminderAt' in result && input['cancelled'] === true ? 'reminder' : null;
}

/**
 * Returns whether a run of an event that is handed over by `until` contacts no one for certain: it ends a plan, or makes one that begins later. Quiet hours
 * move what is planned to before them, so the longest of them are allowed for. `input`: its canonical values; `config`: the settings as they are stored.
 */
export function contactsNoOne(
  template: Template,
  input: { readonly [key: string]: unknown },
  config: { readonly [key: string]: unknown },
  { now, until }: { now: Date; until: Date },
): boolean {
  if (!plansFollowUps(template)) return false;
  if (endedPlan(template, input) !== null) return true;
  const { leadHours, delays } = fillConfig(template, config);
  const last = new Date(until.getTime() + QUIET_SHIFT_HOURS_MAX * HOUR_MS);
  if ('nextReminderAt' in template.result)
    return timeOf(input['startTime']) > latestBookingStart(numbersOf(leadHours), last, null).getTime();
  const sentAt = input['sentAt'] === undefined ? now.getTime() : timeOf(input['sentAt']);
  return sentAt + Math.min(...numbersOf(delays)) * DAY_MS > last.getTime();
}

/** Returns NaN for what is no time, which is later than no other. */
function timeOf(value: unknown): number {
  return new Date(String(value)).getTime();
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
