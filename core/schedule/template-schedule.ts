import type { ScheduleKind } from '@partner-portal/contract/vocabulary.ts';
import { checkInput } from '../template/input.ts';
import type { JsonObject, Template } from '../template/types.ts';
import { openZone, type ScheduleRule } from './schedule.ts';

/** What a template allows a schedule to do. */

/** What a run by the clock goes in with: the day, as the zone's calendar has it, where the template asks for one. */
export function scheduleInput(template: Template, at: Date, timezone: string): JsonObject {
  if (!template.inputs.some((input) => input.key === 'runDate')) return {};
  return { runDate: new Date(openZone(timezone).wallOf(at.getTime())).toISOString().slice(0, 10) };
}

/** What each run needs that no clock can know, such as a caller's number; empty when the agent may have a schedule. */
export function missingScheduleInputs(template: Template): { key: string; label: string }[] {
  // Each of its runs is filled from a booking.
  if (template.looksAt !== undefined) return [];
  const check = checkInput(template, scheduleInput(template, new Date(0), 'UTC'));
  return check.ok ? [] : check.missing.map(({ key, label }) => ({ key, label }));
}

/** What a schedule of this template does. */
export function scheduleKind(template: Template): ScheduleKind {
  if (template.looksAt !== undefined) return template.looksAt;
  return missingScheduleInputs(template).length > 0 ? 'events' : 'run';
}

/** The schedule that the template suggests, in the time zone of its business; null when it suggests none or could not run by it. */
export function suggestedRule(template: Template, timezone: string): ScheduleRule | null {
  const every = template.suggestedSchedule;
  if (every === undefined || missingScheduleInputs(template).length > 0) return null;
  return { every, at: every === 'hour' ? '00:00' : '07:00', weekdays: every === 'week' ? [1] : [], timezone };
}
