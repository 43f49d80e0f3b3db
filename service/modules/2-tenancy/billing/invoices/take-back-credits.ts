import { type ChargedLine, creditsOfInvoice } from '@partner-portal/core/billing/charged.ts';
import { taxOn } from '@partner-portal/core/billing/money.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { lockTerms } from '../terms/store.ts';
import { lockDrafts } from '../terms/store-change.ts';
import { type InvoiceFull, listLines } from './store.ts';
import { listLaterLines, type LaterLine, removeCredits, writeDraftSums } from './store-change.ts';

/** Credits of the unused rest of what an invoice charged, which a change of terms gave. */
export type RestCredits = {
  /** Those that wait, or stand on a draft: they can be removed. */
  open: LaterLine[];
  /** Those on an issued or paid invoice, which never changes. */
  issued: LaterLine[];
};

/** Finds the credits of an invoice, which the caller holds. Locks drafts and subscription, so that none of them is issued or drafted meanwhile. */
export async function findRestCredits(tx: SystemTx, { id, partnerId, kind, periodStart, periodEnd }: InvoiceFull): Promise<RestCredits> {
  if (kind !== 'invoice' || periodStart === null || periodEnd === null) return { open: [], issued: [] };
  await lockDrafts(tx, partnerId);
  await lockTerms(tx, partnerId);
  const invoiced = (await listLines(tx, id)).filter((line): line is typeof line & Pick<ChargedLine, 'kind'> =>
    ['plan', 'seats'].includes(line.kind),
  );
  const later = await listLaterLines(tx, { partnerId, invoiceId: id, start: periodStart, end: periodEnd });
  const credits = creditsOfInvoice(invoiced, later, { start: periodStart, end: periodEnd });
  return { open: credits.filter(({ isIssued }) => !isIssued), issued: credits.filter(({ isIssued }) => isIssued) };
}

/** Removes open credits of an invoice that charges nothing any more, void or credited in full. Returns what changed. */
export async function takeBackCredits(
  tx: SystemTx,
  { partnerId }: InvoiceFull,
  open: readonly LaterLine[],
): Promise<Record<string, [unknown, unknown]>> {
  if (open.length === 0) return {};
  await removeCredits(
    tx,
    partnerId,
    open.map((line) => line.id),
  );
  const drafts = new Map(open.flatMap(({ invoiceId, taxRateBasisPoints }) => (invoiceId ? [[invoiceId, taxRateBasisPoints]] : [])));
  for (const [draftId, rate] of drafts) {
    const subtotalMinor = (await listLines(tx, draftId)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    await writeDraftSums(tx, draftId, { subtotalMinor, taxMinor: taxOn(subtotalMinor, rate) });
  }
  return { waitingCreditMinor: [sumOf(open), null] };
}

export function sumOf(lines: readonly LaterLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
