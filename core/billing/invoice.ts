import type { InvoiceKind, InvoiceStatus } from '@partner-portal/contract/vocabulary.ts';
import { taxOn } from './money.ts';

const DAY_MS = 86_400_000;
const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** State that decides which actions an invoice allows. */
export type InvoiceState = { kind: InvoiceKind; status: InvoiceStatus; number: string | null; hasCreditNotes: boolean };
export type InvoiceAction = 'issue' | 'pay' | 'void' | 'credit' | 'print';

/** Returns the number as printed: the `count`th of its year of issue, UTC. */
export function invoiceNumber(year: number, count: number): string {
  return `${year}-${String(count).padStart(6, '0')}`;
}

/** Returns a day of an invoice, in UTC as it prints it: "November 23, 2026". */
export function longDate(at: Date): string {
  return LONG.format(at);
}

/** Returns why an action is refused, as a sentence for staff; null when it is allowed. */
export function refusedAction(action: InvoiceAction, { kind, status, number, hasCreditNotes }: InvoiceState): string | null {
  if (action === 'print') return number === null ? 'A draft has no PDF. The PDF is created when the invoice is issued.' : null;
  if (action === 'issue') return status === 'draft' ? null : `This invoice is already ${status}.`;
  if (kind === 'credit_note') return 'This is a credit note. It cannot be paid, voided or credited.';
  switch (action) {
    case 'pay':
      return status === 'issued' ? null : STATE_OF_UNPAYABLE[status];
    case 'credit':
      return status === 'issued' || status === 'paid'
        ? null
        : `Only an issued or paid invoice can be credited; this one is ${NOUN[status]}.`;
    case 'void':
      if (status === 'paid') return 'This invoice is paid. Issue a credit note instead.';
      if (status === 'void') return 'This invoice is already void.';
      return hasCreditNotes ? 'A credit note corrects this invoice. Credit the rest of it instead.' : null;
  }
}

const NOUN: Record<InvoiceStatus, string> = { draft: 'a draft', issued: 'issued', paid: 'paid', void: 'void' };
const STATE_OF_UNPAYABLE: Record<InvoiceStatus, string | null> = {
  draft: 'This invoice is a draft. Issue it before you record a payment.',
  issued: null,
  paid: 'This invoice is already paid.',
  void: 'This invoice is void.',
};

/** The amount of an invoice left to pay, in minor units, and when it is due. Drafts, credit notes, paid and void invoices owe nothing. */
export type Debt = { owedMinor: number; dueAt: Date | null };

/** Returns the whole days since the due date; 0 when nothing is owed. */
export function overdueDays({ owedMinor, dueAt }: Debt, now: Date): number {
  if (owedMinor <= 0 || dueAt === null) return 0;
  return Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / DAY_MS));
}

/** Returns the latest due date of an invoice that is overdue at `now`: a whole day has passed since. */
export function overdueSince(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

/** Returns the instant an invoice issued at `issuedAt` is due: `days` days later. */
export function dueDate(issuedAt: Date, days: number): Date {
  return new Date(issuedAt.getTime() + days * DAY_MS);
}

/**
 * Returns the tax of a credit note, in positive minor units: that of everything credited so far, less what the earlier notes took. The notes
 * of a fully credited invoice thus take exactly its tax, however they were split.
 */
export function creditTax(earlierSubtotalMinor: number, subtotalMinor: number, rateBasisPoints: number): number {
  return taxOn(earlierSubtotalMinor + subtotalMinor, rateBasisPoints) - taxOn(earlierSubtotalMinor, rateBasisPoints);
}
