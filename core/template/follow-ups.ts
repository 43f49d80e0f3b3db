import type { Template } from './types.ts';

/** Returns whether runs of a template ask for later ones about the same quote or visit (service/schema/functions/workflows/plan_follow_up.sql). */
export function plansFollowUps({ result }: Pick<Template, 'result'>): boolean {
  return 'nextNudgeAt' in result || 'nextReminderAt' in result;
}
