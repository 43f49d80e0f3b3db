import type { InvoiceKind, InvoiceLineKind, InvoiceStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { isOverdueBy, OWED_MINOR } from '#schema/invoice-columns.ts';

/** A party as printed; frozen when the invoice is issued. */
export type Party = { name: string; address: string | null; country: string | null; taxId: string | null; email: string | null };

export type InvoiceRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  kind: InvoiceKind;
  status: InvoiceStatus;
  number: string | null;
  currency: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  subtotalMinor: number;
  taxRateBasisPoints: number;
  taxMinor: number;
  totalMinor: number;
  owedMinor: number;
  issuedAt: Date | null;
  dueAt: Date | null;
  paidAt: Date | null;
  paidReference: string | null;
  voidedAt: Date | null;
  voidReason: string | null;
  creditsInvoiceId: string | null;
  createdAt: Date;
};

const ROW = `i.id, i.partner_id, coalesce(i.buyer ->> 'name', p.name) as partner_name, i.kind, i.status, i.number, i.currency, i.period_start, i.period_end,
  i.subtotal_minor::float8 as subtotal_minor, i.tax_rate_basis_points, i.tax_minor::float8 as tax_minor, i.total_minor::float8 as total_minor, ${OWED_MINOR} as owed_minor, i.issued_at,
  i.due_at, i.paid_at, i.paid_reference, i.voided_at, i.void_reason, i.credits_invoice_id, i.created_at`;

export type InvoiceFilters = {
  partnerId?: string | null | undefined;
  status?: InvoiceStatus | undefined;
  overdue?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
/** `drafts`: whether invoices that were never issued are among them. `overdueAt`: an invoice due by then is overdue. */
export type InvoiceScope = { drafts: boolean; overdueAt: Date };

/** Returns one page, newest first. `from` and `to` bound the issue, of a draft its creation. */
export async function listInvoices(
  tx: Tx,
  filters: InvoiceFilters,
  scope: InvoiceScope,
  before: string | null,
  limit: number,
): Promise<InvoiceRow[]> {
  return runStatement<'billing_list_invoices', InvoiceRow>(tx, {
    name: 'billing_list_invoices',
    prepare: false,
    text: `select ${ROW} from invoice i join partner p on p.id = i.partner_id
      where ($1::uuid is null or i.partner_id = $1) and ($2::text is null or i.status = $2)
        and ($3::boolean is null or $3 = (${isOverdueBy('$4')}))
        and ($5::timestamptz is null or coalesce(i.issued_at, i.created_at) >= $5) and ($6::timestamptz is null or coalesce(i.issued_at, i.created_at) < $6)
        and ($7::boolean or i.number is not null) and ($8::uuid is null or i.id < $8)
      order by i.id desc limit $9`,
    values: [
      filters.partnerId ?? null,
      filters.status ?? null,
      filters.overdue ?? null,
      scope.overdueAt,
      filters.from ?? null,
      filters.to ?? null,
      scope.drafts,
      before,
      limit,
    ],
  });
}

export type InvoiceFull = InvoiceRow & {
  taxNote: string | null;
  seller: Party | null;
  buyer: Party | null;
  paymentInstructions: string | null;
  creditReason: string | null;
  /** Number of the invoice that this credit note corrects. */
  creditsNumber: string | null;
  hasCreditNotes: boolean;
};

const FULL = `${ROW}, i.tax_note, i.seller, i.buyer, i.payment_instructions, i.credit_reason,
  (select c.number from invoice c where c.id = i.credits_invoice_id) as credits_number,
  exists (select 1 from invoice c where c.credits_invoice_id = i.id) as has_credit_notes`;

/** Returns the invoice; without `drafts` only one that was issued. */
export async function findInvoice(tx: Tx, id: string, { drafts }: { drafts: boolean }): Promise<InvoiceFull | undefined> {
  const [row] = await runStatement<'billing_find_invoice', InvoiceFull>(tx, {
    name: 'billing_find_invoice',
    text: `select ${FULL} from invoice i join partner p on p.id = i.partner_id where i.id = $1 and ($2::boolean or i.number is not null)`,
    values: [id, drafts],
  });
  return row;
}

/** Locks the invoice, so that a second change waits and sees the first. */
export async function lockInvoice(tx: SystemTx, id: string): Promise<InvoiceFull | undefined> {
  await runStatement(tx, {
    name: 'billing_lock_invoice',
    text: `select id from invoice
      where id = $1 or (status = 'draft' and partner_id = (select one.partner_id from invoice one where one.id = $1)) order by id for update`,
    values: [id],
  });
  return findInvoice(tx, id, { drafts: true });
}

export type LineRow = {
  id: string;
  kind: InvoiceLineKind;
  description: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  periodStart: Date | null;
  periodEnd: Date | null;
  orderId: string | null;
};

export async function listLines(tx: Tx, invoiceId: string): Promise<LineRow[]> {
  return runStatement<'billing_list_lines', LineRow>(tx, {
    name: 'billing_list_lines',
    text: `select id, kind, description, quantity, unit_price_minor, amount_minor::float8 as amount_minor, period_start, period_end, order_id
      from invoice_line where invoice_id = $1 order by position, id`,
    values: [invoiceId],
  });
}

export type CreditNoteRow = { id: string; number: string | null; subtotalMinor: number; totalMinor: number; issuedAt: Date | null };

/** Returns the credit notes of an invoice, oldest first. */
export async function listCreditNotes(tx: Tx, invoiceId: string): Promise<CreditNoteRow[]> {
  return runStatement<'billing_list_credit_notes', CreditNoteRow>(tx, {
    name: 'billing_list_credit_notes',
    text: `select id, number, subtotal_minor::float8 as subtotal_minor, total_minor::float8 as total_minor, issued_at
      from invoice where credits_invoice_id = $1 and number is not null order by id`,
    values: [invoiceId],
  });
}

export type Profile = Party & { taxRateBasisPoints: number; taxNote: string | null };

/** Returns who would be invoiced now, and the tax. */
export async function readProfile(tx: Tx, partnerId: string): Promise<Profile | undefined> {
  const [row] = await runStatement<'billing_read_profile', Profile>(tx, {
    name: 'billing_read_profile',
    text: `select p.name, b.address, b.country, b.tax_id, b.billing_email as email, coalesce(b.tax_rate_basis_points, 0) as tax_rate_basis_points, b.tax_note
      from partner p left join billing_profile b on b.partner_id = p.id where p.id = $1`,
    values: [partnerId],
  });
  return row;
}
