import { defineHandlers } from '#platform/http/context.ts';
import type { Cron, JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';

/** Part of billing: seats and credits that an agency buys, and adjustments by staff. */
export function purchases(_deps: BillingDeps) {
  const jobs: JobHandler[] = [];
  const crons: Cron[] = [];
  return { routes: defineHandlers<never>({}), jobs, crons };
}
