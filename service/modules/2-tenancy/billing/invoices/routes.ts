import { defineHandlers } from '#platform/http/context.ts';
import { answer } from '#platform/http/answer.ts';
import type { BillingDeps } from '../deps.ts';
import { issueInvoice, payInvoice, voidInvoice } from './change-invoice.ts';
import { creditInvoice } from './credit-invoice.ts';
import type { Documents } from './document.ts';
import { exportInvoices, readInvoice, readInvoices } from './read-invoices.ts';
import { readRevenue } from './read-revenue.ts';

export function invoiceHandlers(deps: BillingDeps, documents: Documents) {
  return defineHandlers({
    listInvoices: ({ query }, { actor, now }) => readInvoices(deps, actor, now, query),
    exportInvoices: ({ query }, { actor, now }) => exportInvoices(deps, actor, now, query),
    getInvoice: ({ params }, { actor, now }) => readInvoice(deps, actor, now, params.id),
    getInvoicePdf: ({ params }, { actor }) => documents.read(actor, params.id),
    getRevenue: ({ query }, { actor, now }) => readRevenue(deps, actor, now, query.months),
    issueInvoice: ({ params }, context) => issueInvoice(deps, context, params.id),
    payInvoice: ({ params, body }, context) => payInvoice(deps, context, params.id, body),
    voidInvoice: ({ params, body }, context) => voidInvoice(deps, context, params.id, body),
    creditInvoice: async ({ params, body }, context) => answer(201, await creditInvoice(deps, context, params.id, body)),
  });
}
