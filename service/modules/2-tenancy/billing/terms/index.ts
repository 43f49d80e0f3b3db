import { defineHandlers } from '#platform/http/context.ts';
import type { Cron, JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';

/** Part of billing: the plan, its overrides and what follows from changing them. */
export function terms(_deps: BillingDeps) {
  const jobs: JobHandler[] = [];
  const crons: Cron[] = [];
  return { routes: defineHandlers<never>({}), jobs, crons };
}
