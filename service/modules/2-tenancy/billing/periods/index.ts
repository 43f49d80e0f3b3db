import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { collectDue, mailNoticeAgain } from './collect.ts';
import { lostNoticeJob } from './lost-notice-job.ts';
import { rollOver } from './roll-over.ts';
import { rollOverDue } from './roll-over-due.ts';

export { settleInvoice } from './collect.ts';

/** Part of billing: the end of a billing period and the payment clock. */
export function periods(deps: BillingDeps) {
  return {
    jobs: [handleJob(lostNoticeJob, (lost) => mailNoticeAgain(deps, lost))],
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
