import { type InvoiceAction, refusedAction } from '@partner-portal/core/billing/invoice.ts';
import type { Invoice } from '../../queries/billing.ts';

/** What staff do with an invoice. */
export type Act = InvoiceAction;
type Facts = Pick<Invoice, 'kind' | 'status' | 'number' | 'totalMinor' | 'owedMinor'>;

export const ACT_KEYS: Record<Act, { key: string; label: string }> = {
  issue: { key: 'i', label: 'Issue the draft, or those selected' },
  pay: { key: 'p', label: 'Record a payment' },
  credit: { key: 'c', label: 'Issue a credit note' },
  void: { key: 'v', label: 'Void the invoice' },
  print: { key: 'o', label: 'Download the PDF' },
};

/** Returns whether the state of an invoice allows it; the server refuses anything else too. */
export function mayDo(act: Act, { status, totalMinor, owedMinor, ...facts }: Facts): boolean {
  // What a credit note took is no longer owed.
  return refusedAction(act, { ...facts, status, hasCreditNotes: status === 'issued' && owedMinor < totalMinor }) === null;
}
