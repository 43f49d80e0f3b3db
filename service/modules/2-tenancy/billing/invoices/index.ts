import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { createDocuments } from './document.ts';
import { invoiceMailJob, lostMailJob } from './invoice-mail-job.ts';
import { mailInvoice, sweepInvoiceMail } from './mail-invoice.ts';
import { invoiceHandlers } from './routes.ts';
import { unmarkMailed } from './store-document.ts';

/** Part of billing: invoices from the draft to the payment, and their documents. */
export function invoices(deps: BillingDeps) {
  const documents = createDocuments(deps);
  return {
    routes: invoiceHandlers(deps, documents),
    jobs: [
      handleJob(invoiceMailJob, ({ invoiceId }) => mailInvoice(deps, documents, invoiceId)),
      handleJob(lostMailJob, (lost) => deps.db.asSystem('billing', (tx) => unmarkMailed(tx, lost))),
    ],
    crons: [defineCron('billing.mail_invoices', '*/10 * * * *', () => sweepInvoiceMail(deps))],
  };
}
