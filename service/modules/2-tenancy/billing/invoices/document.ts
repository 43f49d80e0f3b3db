import { createHash } from 'node:crypto';
import { refusedAction } from '@partner-portal/core/billing/invoice.ts';
import type { Actor } from '#platform/actor.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
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

/** The stored documents of invoices. */
export type Documents = ReturnType<typeof createDocuments>;
type Known = { invoice: InvoiceFull; lines: readonly LineRow[]; stored: Buffer | null };

export function createDocuments(deps: BillingDeps) {
  const inProgress = new Map<string, Promise<Uint8Array>>();
  /** Returns the stored document, made first when there is none. Callers at the same time share one making. */
  const documentOf = ({ invoice, lines, stored }: Known): Promise<Uint8Array> => {
    if (stored) return Promise.resolve(stored);
    const present = inProgress.get(invoice.id);
    if (present) return present;
    const making = makeDocument(deps, invoice, lines).finally(() => inProgress.delete(invoice.id));
    inProgress.set(invoice.id, making);
    return making;
  };
  return {
    documentOf,
    /** Returns the document of an issued invoice as a file. */
    async read(actor: Actor, id: string): Promise<PdfAnswer> {
      const found = await inScope(
        deps.db,
        actor,
        undefined,
        async (tx) => {
          const known = await findKnown(tx, id, { drafts: seesDrafts(actor) });
          if (!known) return refuse('not_found');
          const detail = refusedAction('print', known.invoice);
          return detail === null ? known : refuse('invalid_state', { detail });
        },
        { whileSuspended: true },
      );
      return { kind: 'pdf', filename: documentName(found.invoice), content: await documentOf(found) };
    },
  };
}

/** Returns the invoice with its document, or with the lines to make it from. */
export async function findKnown(tx: Tx, id: string, scope: { drafts: boolean }): Promise<Known | null> {
  const invoice = await findInvoice(tx, id, scope);
  if (!invoice) return null;
  const stored = await findDocument(tx, id);
  return { invoice, stored, lines: stored ? [] : await listLines(tx, id) };
}

/** Makes and stores the document. The first process that stores it wins, and all return the same bytes. */
async function makeDocument({ db, compute }: BillingDeps, invoice: InvoiceFull, lines: readonly LineRow[]): Promise<Uint8Array> {
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
