import { type ChargedLine, creditsOfInvoice } from '@partner-portal/core/billing/charged.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { listWaitingLines } from '../periods/store-drafts.ts';
import { lockTerms } from '../terms/store.ts';
import { type InvoiceFull, listLines } from './store.ts';
import { removeWaiting } from './store-change.ts';

/**
 * Removes the waiting lines that credit the unused rest of an invoice of the present period which charges nothing any more: void or credited in full.
 * Returns what changed. The caller holds the invoice.
 */
export async function takeBackCredits(
  tx: SystemTx,
  { id, partnerId, kind, periodStart, periodEnd }: InvoiceFull,
): Promise<Record<string, [unknown, unknown]>> {
  if (kind !== 'invoice' || periodStart === null || periodEnd === null) return {};
  const subscription = await lockTerms(tx, partnerId);
  // The lines of a period that has ended wait no longer.
  if (subscription?.currentPeriodStart.getTime() !== periodStart.getTime()) return {};
  const invoiced = (await listLines(tx, id)).filter((line): line is typeof line & Pick<ChargedLine, 'kind'> =>
    ['plan', 'seats'].includes(line.kind),
  );
  const credits = creditsOfInvoice(invoiced, await listWaitingLines(tx, partnerId), { start: periodStart, end: periodEnd });
  if (credits.length === 0) return {};
  await removeWaiting(
    tx,
    partnerId,
    credits.flatMap((line) => line.id ?? []),
  );
  return { waitingCreditMinor: [credits.reduce((sum, { amountMinor }) => sum + amountMinor, 0), null] };
}
