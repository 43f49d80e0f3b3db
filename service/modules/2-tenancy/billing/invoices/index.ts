import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { mailLost } from './change-invoice.ts';
import { createDocuments } from './document.ts';
import { invoiceMailJob, lostMailJob } from './invoice-mail-job.ts';
import { mailInvoice, sweepInvoiceMail } from './mail-invoice.ts';
import { invoiceHandlers } from './routes.ts';

/** Part of billing: invoices from the draft to the payment, and their documents. */
export function invoices(deps: BillingDeps) {
  const documents = createDocuments(deps);
  return {
    routes: invoiceHandlers(deps, documents),
    jobs: [
      handleJob(invoiceMailJob, ({ invoiceId }) => mailInvoice(deps, documents, invoiceId)),
      handleJob(lostMailJob, (lost) => mailLost(deps, lost)),
    ],
    crons: [defineCron('billing.mail_invoices', '*/10 * * * *', () => sweepInvoiceMail(deps))],
  };
}
