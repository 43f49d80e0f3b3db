import { invoiceFileName } from '@partner-portal/core/text/file-name.ts';
import { refusedAction } from '@partner-portal/core/billing/invoice.ts';
import type { Actor } from '#platform/actor.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { PdfAnswer } from '#platform/http/answer.ts';
import { BUSY_RETRY_SECONDS, refuse } from '#platform/refuse.ts';
import { FileGone, type FileStore, readWhole, type StoredFile } from '#modules/1-ledger/files/index.ts';
import { findLogo } from '#modules/2-tenancy/media/index.ts';
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

/** The stored documents of invoices. */
export type Documents = ReturnType<typeof createDocuments>;
type Known = { invoice: InvoiceFull; lines: readonly LineRow[]; stored: StoredFile | null };

export function createDocuments(deps: BillingDeps) {
  const inProgress = new Map<string, Promise<StoredFile>>();
  /** Returns the stored document, made first when there is none. Callers at the same time share one making. */
  const documentOf = ({ invoice, lines, stored }: Known): Promise<StoredFile> => {
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
      const found = await inScope(deps.db, actor, undefined, async (tx) => {
        const known = await findKnown(tx, deps.files, id, { drafts: seesDrafts(actor) });
        if (!known) return refuse('not_found');
        const detail = refusedAction('print', known.invoice);
        return detail === null ? known : refuse('invalid_state', { detail });
      });
      return { kind: 'pdf', filename: invoiceFileName(found.invoice), content: await readWhole(deps.files, await documentOf(found)) };
    },
  };
}

/** Returns the invoice with its document, or with the lines to make it from. */
export async function findKnown(tx: Tx, files: FileStore, id: string, scope: { drafts: boolean }): Promise<Known | null> {
  const invoice = await findInvoice(tx, id, scope);
  if (!invoice) return null;
  const fileId = await findDocument(tx, id);
  const stored = fileId === null ? null : await takeFile(tx, files, fileId);
  return { invoice, stored, lines: stored ? [] : await listLines(tx, id) };
}

/** Makes and stores the document. The first process that stores it wins, and all return the same bytes. */
async function makeDocument({ db, compute, files }: BillingDeps, invoice: InvoiceFull, lines: readonly LineRow[]): Promise<StoredFile> {
  const { id: invoiceId, partnerId } = invoice;
  const logo = await db.asSystem('billing', (tx) => findLogo(tx, partnerId, 'small'));
  const buyerLogo = logo ? await readLogo(files, { ...logo, owner: { partnerId, clientId: null } }) : null;
  const facts = toPrint(invoice, lines);
  const print: Print = { ...facts, buyerLogo };
  const bytes = 2 * JSON.stringify(facts).length + (buyerLogo?.length ?? 0);
  const content = await compute.run(RENDER, print, { key: invoice.partnerId, bytes }).catch((error: unknown) => {
    if (!(error instanceof ComputeRefusal)) throw error;
    return refuse('service_unavailable', {
      detail: 'The PDF could not be made in time. Try again.',
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      cause: error,
    });
  });
  const made = await files.write({ partnerId, clientId: null }, { purpose: 'invoice', contentType: 'application/pdf' }, [content]);
  return db.asSystem('billing', async (tx) => {
    const storedId = await storeDocument(tx, { invoiceId, partnerId, fileId: made.id });
    if (storedId === made.id) return made;
    await files.remove(tx, [made.id]);
    return takeFile(tx, files, storedId);
  });
}

async function takeFile(tx: Tx, files: FileStore, fileId: string): Promise<StoredFile> {
  const file = await files.find(tx, fileId);
  if (!file) throw new Error(`The file ${fileId} of an invoice is missing.`);
  return file;
}

/** A logo that is removed at this moment is not printed. */
async function readLogo(files: FileStore, logo: StoredFile): Promise<Uint8Array | null> {
  try {
    return await readWhole(files, logo);
  } catch (error) {
    if (error instanceof FileGone) return null;
    throw error;
  }
}

function toPrint(invoice: InvoiceFull, lines: readonly LineRow[]): Omit<Print, 'buyerLogo'> {
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
