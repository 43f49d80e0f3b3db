import type { Invoice } from '../../queries/billing.ts';

/** What staff do with an invoice. */
export type Act = 'issue' | 'pay' | 'credit' | 'void' | 'pdf';
type Facts = Pick<Invoice, 'kind' | 'status' | 'number' | 'totalMinor' | 'owedMinor'>;

export const ACT_KEYS: Record<Act, { key: string; label: string }> = {
  issue: { key: 'i', label: 'Issue the draft, or those selected' },
  pay: { key: 'p', label: 'Record a payment' },
  credit: { key: 'c', label: 'Issue a credit note' },
  void: { key: 'v', label: 'Void the invoice' },
  pdf: { key: 'o', label: 'Download the PDF' },
};

/** Returns whether the status of an invoice allows it; the server refuses anything else too. */
export function mayDo(act: Act, { kind, status, number, totalMinor, owedMinor }: Facts): boolean {
  if (act === 'pdf') return number !== null;
  if (kind === 'credit_note') return false;
  switch (act) {
    case 'issue':
      return status === 'draft';
    case 'pay':
      return status === 'issued';
    case 'void':
      // With a credit note it is credited further, and not voided.
      return status === 'draft' || (status === 'issued' && owedMinor === totalMinor);
    case 'credit':
      return status === 'issued' || status === 'paid';
  }
}
