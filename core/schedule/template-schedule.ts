import type { ScheduleKind } from '@partner-portal/contract/vocabulary.ts';
import { checkInput } from '../template/input.ts';
import type { JsonObject, Template } from '../template/types.ts';
import { localTime, type ScheduleRule } from './schedule.ts';

/** Effects that a schedule can have for a template. */

/** Returns the input of an execution that is due at `dueAt`: the local day before, which has ended, if the template has an input for the day it reports on. */
export function scheduleInput(template: Template, dueAt: Date, timezone: string): JsonObject {
  if (!template.inputs.some((input) => input.key === 'runDate')) return {};
  return { runDate: localTime(dueAt, timezone).toPlainDate().subtract({ days: 1 }).toString() };
}

/** Returns the required inputs that a schedule cannot supply, such as a caller's number; empty when the agent may have a schedule. */
export function missingScheduleInputs(template: Template): { key: string; label: string }[] {
  // Each execution gets its input from a booking.
  if (template.looksAt !== undefined) return [];
  const check = checkInput(template, scheduleInput(template, new Date(0), 'UTC'));
  return check.ok ? [] : check.missing.map(({ key, label }) => ({ key, label }));
}

/** Returns what a schedule of this template does. */
export function scheduleKind(template: Template): ScheduleKind {
  if (template.looksAt !== undefined) return template.looksAt;
  return missingScheduleInputs(template).length > 0 ? 'events' : 'run';
}

/** Returns the schedule that the template suggests, in the client's time zone; null when it has none or cannot have a schedule. */
export function suggestedRule(template: Template, timezone: string): ScheduleRule | null {
  const every = template.suggestedSchedule;
  if (every === undefined || missingScheduleInputs(template).length > 0) return null;
  return { every, at: every === 'hour' ? '00:00' : '07:00', weekdays: every === 'week' ? [1] : [], timezone };
}
