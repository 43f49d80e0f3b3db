import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ReportsDeps } from './deps.ts';
import { putEstimate, readEstimates } from './hours/estimates.ts';
import { sendDueReports } from './mail/send-due.ts';
import { previewReport, sendNow } from './mail/send-now.ts';
import { deleteOldKeys } from './mail/store.ts';
import { showUnsubscribe, unsubscribe } from './mail/unsubscribe.ts';
import { createReportPrinter } from './pdf/print-report.ts';
import { csvOfReport } from './read/report-csv.ts';
import { readDocument, readReport } from './read/read-report.ts';
import { putRecipient, readRecipients } from './recipients/recipients.ts';

export type { ReportsDeps } from './deps.ts';
export { readHoursPerRun } from './hours/estimates.ts';

const KEYS_BATCH = 5_000;

/** The monthly report of a client: on a page, as a file, and by mail to those who want it. */
export function reports(deps: ReportsDeps) {
  const { db, clock } = deps;
  const print = createReportPrinter(deps);
  return {
    routes: defineHandlers({
      getClientReport: ({ params, query }, context) => readReport(deps, context, params.id, query),
      exportClientReport: async ({ params, query }, context) => csvOfReport(...(await readDocument(deps, context, params.id, query))),
      printClientReport: ({ params, query }, context) => print(context, params.id, query),
      previewReportMail: ({ params, query }, context) => previewReport(deps, context, params.id, query),
      sendClientReport: ({ params, body }, context) => sendNow(deps, context, params.id, body),
      listReportRecipients: ({ params }, context) => readRecipients(deps, context, params.id),
      putReportRecipient: ({ params, body }, context) =>
        putRecipient(deps, context, { clientId: params.id, userId: params.userId, isSubscribed: body.isSubscribed }),
      showReportUnsubscribe: ({ query }) => showUnsubscribe(query.token),
      unsubscribeReport: async ({ query }, context) => void (await unsubscribe(deps, context, query.token)),
      listHoursEstimates: (_input, context) => readEstimates(deps, context),
      putHoursEstimate: ({ params, body }, context) => putEstimate(deps, context, params.templateName, body.hours),
    }),
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
