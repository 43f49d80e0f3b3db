import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ReportsDeps } from './deps.ts';
import { sendDueReports } from './mail/send-due.ts';
import { deleteOldKeys } from './mail/store.ts';
import { reportHandlers } from './routes.ts';

export type { ReportsDeps } from './deps.ts';
export { readHoursPerRun } from './hours/estimates.ts';

const KEYS_BATCH = 5_000;

/** The monthly report of a client: on a page, as a file, and by mail to those who want it. */
export function reports(deps: ReportsDeps) {
  const { db, clock } = deps;
  return {
    routes: reportHandlers(deps),
    crons: [
      defineCron('reports.send', '*/15 * * * *', async ({ signal }) => void (await sendDueReports(deps, signal))),
      defineCron('reports.forget', '37 3 * * *', async () => {
        const old = { now: clock.now(), hours: LIMITS.idempotencyHours, batch: KEYS_BATCH };
        while ((await db.asSystem('sweep', (tx) => deleteOldKeys(tx, old))) === KEYS_BATCH);
      }),
    ],
    /** Queues what is due now; returns how many mails. */
    sendDue: (signal: AbortSignal) => sendDueReports(deps, signal),
  };
}
