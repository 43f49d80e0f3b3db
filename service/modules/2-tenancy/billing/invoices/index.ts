import { defineHandlers } from '#platform/http/context.ts';
import type { Cron, JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';

/** Part of billing: invoices from the draft to the payment, and their documents. */
export function invoices(_deps: BillingDeps) {
  const jobs: JobHandler[] = [];
  const crons: Cron[] = [];
  return { routes: defineHandlers<never>({}), jobs, crons };
}
