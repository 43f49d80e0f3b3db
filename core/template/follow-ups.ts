import type { Template } from './types.ts';

/** Returns whether runs of a template ask for later ones about the same quote or visit (service/schema/functions/workflows/plan_follow_up.sql). */
export function plansFollowUps({ result }: Pick<Template, 'result'>): boolean {
  return 'nextNudgeAt' in result || 'nextReminderAt' in result;
}

/** Returns the plan that an event ends, by its canonical values: the nudges of a quote that was answered, the reminders of a visit that was cancelled. Its run contacts no one. */
export function endedPlan({ result }: Pick<Template, 'result'>, input: { readonly [key: string]: unknown }): 'nudge' | 'reminder' | null {
  if ('nextNudgeAt' in result && input['answered'] === true) return 'nudge';
  return 'nextReminderAt' in result && input['cancelled'] === true ? 'reminder' : null;
}
