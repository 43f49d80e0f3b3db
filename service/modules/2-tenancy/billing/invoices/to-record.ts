import { overdueDays } from '@partner-portal/core/billing/invoice.ts';
import type { CreditNoteRow, InvoiceFull, InvoiceRow, LineRow, Party } from './store.ts';

/** The record of the API. */
export function toRecord(row: InvoiceRow, now: Date) {
  return { ...row, overdueDays: overdueDays(row, now) };
}

/** The record with what the document prints. `profile` is who would be invoiced now, for a draft. */
export function toDetail(
  row: InvoiceFull,
  parts: { lines: readonly LineRow[]; creditNotes: readonly CreditNoteRow[]; profile: Party },
  now: Date,
) {
  const { hasCreditNotes: _hasCreditNotes, creditsNumber: _creditsNumber, ...rest } = row;
  const { name, address, country, taxId, email } = row.buyer ?? parts.profile;
  return {
    ...rest,
    overdueDays: overdueDays(row, now),
    buyer: { name, address, country, taxId, email },
    lines: parts.lines,
    creditNotes: parts.creditNotes,
  };
}
