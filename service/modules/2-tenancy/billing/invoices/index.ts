import { defineHandlers } from '#platform/http/context.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { answer } from '#platform/http/answer.ts';
import type { BillingDeps } from '../deps.ts';
import { issueInvoice, payInvoice, voidInvoice } from './change-invoice.ts';
import { creditInvoice } from './credit-invoice.ts';
import { createDocuments } from './document.ts';
import { invoiceMailJob } from './invoice-mail-job.ts';
import { mailInvoice, sweepInvoiceMail } from './mail-invoice.ts';
import { exportInvoices, readInvoice, readInvoices } from './read-invoices.ts';
import { createRevenueReader } from './read-revenue.ts';

/** Part of billing: invoices from the draft to the payment, and their documents. */
export function invoices(deps: BillingDeps) {
  const documents = createDocuments(deps);
  const readRevenue = createRevenueReader(deps);
  return {
    routes: defineHandlers({
      listInvoices: ({ query }, { actor, now }) => readInvoices(deps, actor, now, query),
      exportInvoices: ({ query }, { actor, now }) => exportInvoices(deps, actor, now, query),
      getInvoice: ({ params }, { actor, now }) => readInvoice(deps, actor, now, params.id),
      getInvoicePdf: ({ params }, { actor }) => documents.read(actor, params.id),
      getRevenue: ({ query }, { actor, now }) => readRevenue(actor, now, query.months),
      issueInvoice: ({ params }, context) => issueInvoice(deps, context, params.id),
      payInvoice: ({ params, body }, context) => payInvoice(deps, context, params.id, body),
      voidInvoice: ({ params, body }, context) => voidInvoice(deps, context, params.id, body.reason),
      creditInvoice: async ({ params, body }, context) => answer(201, await creditInvoice(deps, context, params.id, body)),
    }),
    jobs: [handleJob(invoiceMailJob, ({ invoiceId }) => mailInvoice(deps, documents, invoiceId))],
    crons: [defineCron('billing.mail_invoices', '*/10 * * * *', () => sweepInvoiceMail(deps))],
  };
}
