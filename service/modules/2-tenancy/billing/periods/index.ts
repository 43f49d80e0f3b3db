import { defineCron, type JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { collectDue } from './collect.ts';
import { rollOver } from './roll-over.ts';
import { rollOverDue } from './roll-over-due.ts';

export { settleInvoice } from './collect.ts';

/** Part of billing: the end of a billing period and the payment clock. */
export function periods(deps: BillingDeps) {
  const jobs: JobHandler[] = [];
  return {
    jobs,
    crons: [
      defineCron('billing.roll-over', '* * * * *', async ({ signal }) => void (await rollOverDue(deps, signal))),
      defineCron('billing.collect', '*/5 * * * *', async ({ signal }) => void (await collectDue(deps, signal))),
    ],
    /** Ends the missed periods of one subscription. Opens transactions of its own. */
    rollOver: (partnerId: string, now: Date) => rollOver(deps.db, partnerId, now),
    collectDue: (signal?: AbortSignal) => collectDue(deps, signal),
    rollOverDue: (signal?: AbortSignal) => rollOverDue(deps, signal),
  };
}
