import { latestBookingStart } from '../schedule/booking-reminder.ts';
import { QUIET_SHIFT_HOURS_MAX } from '../schedule/quiet-hours.ts';
import { fillConfig } from './settings.ts';
import type { Template } from './types.ts';
import { isEmpty } from './value-forms.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type EndedPlan = 'answered' | 'no_longer_due' | 'moved';

/** Returns whether runs of a template ask for later ones about the same quote or visit (service/schema/functions/workflows/plan_follow_up.sql). */
export function plansFollowUps({ result }: Pick<Template, 'result'>): boolean {
  return 'nextNudgeAt' in result || 'nextReminderAt' in result;
}

/**
 * Returns why an event ends the plan of its quote or visit, by its canonical values: it was answered, or cancelled (`no_longer_due`), and the run contacts no one; a
 * visit known by its id may have been moved, which ends what was planned for another start.
 */
export function endedPlan({ result }: Pick<Template, 'result'>, input: { readonly [key: string]: unknown }): EndedPlan | null {
  if ('nextNudgeAt' in result) return input['answered'] === true ? 'answered' : null;
  if (!('nextReminderAt' in result)) return null;
  if (input['cancelled'] === true) return 'no_longer_due';
  return isEmpty(input['bookingUid']) || isEmpty(input['startTime']) ? null : 'moved';
}

/** Returns whether an event ends the plan of a quote that it names by its link, or of a visit by its id: nothing else is needed of it. `problems`: of its inputs. */
export function endsNamedPlan(
  template: Pick<Template, 'result'>,
  input: { readonly [key: string]: unknown },
  problems: readonly { key: string }[],
): boolean {
  const why = endedPlan(template, input);
  if (why === null || why === 'moved') return false;
  const name = why === 'answered' ? 'quoteUrl' : 'bookingUid';
  return !isEmpty(input[name]) && problems.every(({ key }) => key !== name);
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
  if (['answered', 'no_longer_due'].includes(endedPlan(template, input) ?? '')) return true;
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
