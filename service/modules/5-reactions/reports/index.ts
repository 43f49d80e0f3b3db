import { defineCron } from '#platform/jobs/define-job.ts';
import type { ReportsDeps } from './deps.ts';
import { sendDueReports } from './mail/send-due.ts';
import { reportHandlers } from './routes.ts';

export type { ReportsDeps } from './deps.ts';
export { readHoursPerRun } from './hours/estimates.ts';

/** The monthly report of a client: on a page, as a file, and by mail to those who want it. */
export function reports(deps: ReportsDeps) {
  return {
    routes: reportHandlers(deps),
    crons: [defineCron('reports.send', '*/15 * * * *', async ({ signal }) => void (await sendDueReports(deps, signal)))],
    /** Queues what is due now; returns how many mails. */
    sendDue: (signal: AbortSignal) => sendDueReports(deps, signal),
  };
}
