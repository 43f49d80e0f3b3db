import { defineHandlers } from '#platform/http/context.ts';
import type { ReportsDeps } from './deps.ts';
import { putEstimate, readEstimates } from './hours/estimates.ts';
import { previewReport, sendNow } from './mail/send-now.ts';
import { showUnsubscribe, unsubscribe } from './mail/unsubscribe.ts';
import { createReportPrinter } from './pdf/print-report.ts';
import { csvOfReport } from './read/report-csv.ts';
import { readDocument, readReport } from './read/read-report.ts';
import { putRecipient, readRecipients } from './recipients/recipients.ts';
import { putResultValues, readResultValues } from './values/result-values.ts';

export function reportHandlers(deps: ReportsDeps) {
  const print = createReportPrinter(deps);
  return defineHandlers({
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
    getResultValues: (_input, context) => readResultValues(deps, context),
    putResultValues: ({ body }, context) => putResultValues(deps, context, body),
  });
}
