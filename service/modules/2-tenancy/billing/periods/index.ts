import { defineHandlers } from '#platform/http/context.ts';
import type { Cron, JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';

/** Part of billing: the end of a billing period and the payment clock. */
export function periods(_deps: BillingDeps) {
  const jobs: JobHandler[] = [];
  const crons: Cron[] = [];
  return { routes: defineHandlers<never>({}), jobs, crons };
}
