import { composeInvoice, type InvoiceLine } from '@partner-portal/core/billing/next-invoice.ts';
import type { Period } from '@partner-portal/core/billing/period.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { findTax, insertDraft, listWaitingLines, type Tax } from './store-drafts.ts';

/** The draft: new lines, for a period or for none. The caller holds the subscription's lock. */
export type DraftOrder = {
  partnerId: string;
  currency: string;
  /** The period that the recurring lines charge; null for a draft outside periods. A period has one invoice that is not void. */
  period: Period | null;
  /** Not stored yet. */
  recurring: readonly InvoiceLine[];
  now: Date;
};

/** Drafts an invoice of new lines and all that wait. Returns its id, or null when nothing is due: then credits wait on. */
export async function draftInvoice(tx: SystemTx, order: DraftOrder): Promise<string | null> {
  const [waiting, tax] = await Promise.all([listWaitingLines(tx, order.partnerId), findTax(tx, order.partnerId)]);
  return storeDraft(tx, order, { waiting, tax });
}

/** Like `draftInvoice` with what the caller has read under the lock. */
export async function storeDraft(
  tx: SystemTx,
  order: DraftOrder,
  known: { waiting: readonly InvoiceLine[]; tax: Tax },
): Promise<string | null> {
  const { partnerId, currency, period, recurring, now } = order;
  const { waiting, tax } = known;
  const draft = composeInvoice(recurring, waiting, tax.rateBasisPoints);
  if (!draft) return null;
  const id = newId();
  await insertDraft(tx, {
    ...draft,
    id,
    partnerId,
    currency,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    taxRateBasisPoints: tax.rateBasisPoints,
    taxNote: tax.note,
    now,
  });
  return id;
}
