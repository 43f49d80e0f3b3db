import { createHash } from 'node:crypto';
import { refusedAction } from '@partner-portal/core/billing/invoice.ts';
import type { Actor } from '#platform/actor.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { inScope } from '#platform/db/scope.ts';
import type { PdfAnswer } from '#platform/http/answer.ts';
import { refuse } from '#platform/refuse.ts';
import type { BillingDeps } from '../deps.ts';
import type { Print, renderInvoice } from './pdf/render-invoice.ts';
import { seesDrafts } from './read-invoices.ts';
import { findInvoice, type InvoiceFull, type LineRow, listLines } from './store.ts';
import { findDocument, storeDocument } from './store-document.ts';

const RENDER = defineTask<typeof renderInvoice>({
  file: new URL('./pdf/render-invoice.ts', import.meta.url),
  name: 'renderInvoice',
  deadlineMs: 20_000,
});
const RETRY_SECONDS = 5;

/** Returns the document of an issued invoice, made and stored when it is first needed. */
export async function readInvoicePdf(deps: BillingDeps, actor: Actor, id: string): Promise<PdfAnswer> {
  const found = await inScope(
    deps.db,
    actor,
    undefined,
    async (tx) => {
      const invoice = await findInvoice(tx, id, { drafts: seesDrafts(actor) });
      if (!invoice) return refuse('not_found');
      const detail = refusedAction('print', invoice);
      if (detail !== null) return refuse('invalid_state', { detail });
      const stored = await findDocument(tx, id);
      return { invoice, stored, lines: stored ? [] : await listLines(tx, id) };
    },
    { whileSuspended: true },
  );
  return { kind: 'pdf', filename: documentName(found.invoice), content: found.stored ?? (await makeDocument(deps, found)) };
}

/** Makes and stores the document. The first process that stores it wins, and all return the same bytes. */
export async function makeDocument(
  { db, compute }: BillingDeps,
  { invoice, lines }: { invoice: InvoiceFull; lines: readonly LineRow[] },
): Promise<Uint8Array> {
  const print = toPrint(invoice, lines);
  const bytes = 2 * JSON.stringify(print).length;
  const content = await compute.run(RENDER, print, { key: invoice.partnerId, bytes }).catch((error: unknown) => {
    if (!(error instanceof ComputeRefusal)) throw error;
    return refuse('service_unavailable', {
      detail: 'The PDF could not be made in time. Try again.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    });
  });
  const sha256 = createHash('sha256').update(content).digest();
  return db.asSystem('billing', (tx) => storeDocument(tx, { invoiceId: invoice.id, partnerId: invoice.partnerId, content, sha256 }));
}

/** Returns the name of the file. */
export function documentName({ kind, number }: Pick<InvoiceFull, 'kind' | 'number'>): string {
  return `${kind === 'invoice' ? 'invoice' : 'credit-note'}-${number ?? 'draft'}.pdf`;
}

function toPrint(invoice: InvoiceFull, lines: readonly LineRow[]): Print {
  const { seller, buyer, number, issuedAt } = invoice;
  if (!seller || !buyer || number === null || !issuedAt) throw new Error(`Invoice ${invoice.id} is not issued.`);
  return {
    kind: invoice.kind,
    number,
    currency: invoice.currency,
    issuedAt,
    dueAt: invoice.dueAt,
    seller,
    buyer,
    lines: lines.map(({ description, quantity, unitPriceMinor, amountMinor, periodStart, periodEnd }) => ({
      description,
      quantity,
      unitPriceMinor,
      amountMinor,
      periodStart,
      periodEnd,
    })),
    subtotalMinor: invoice.subtotalMinor,
    taxRateBasisPoints: invoice.taxRateBasisPoints,
    taxNote: invoice.taxNote,
    taxMinor: invoice.taxMinor,
    totalMinor: invoice.totalMinor,
    paymentInstructions: invoice.paymentInstructions,
    creditReason: invoice.creditReason,
    creditsNumber: invoice.creditsNumber,
  };
}
