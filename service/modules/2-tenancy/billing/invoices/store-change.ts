import type { InvoiceLine } from '@partner-portal/core/billing/next-invoice.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Party } from './store.ts';

/** Returns the next number of the year. Locked until the commit, so that a rolled-back number is given to the next. */
export async function takeNumber(tx: SystemTx, year: number): Promise<number> {
  const [row] = await runStatement<'billing_take_number', { n: number }>(tx, {
    name: 'billing_take_number',
    text: 'select next_invoice_number($1) as n',
    values: [year],
  });
  if (!row) throw new Error('The database returned no row.');
  return row.n;
}

export type Frozen = {
  number: string;
  subtotalMinor: number;
  taxRateBasisPoints: number;
  taxNote: string | null;
  taxMinor: number;
  seller: Party;
  buyer: Party;
  paymentInstructions: string | null;
  issuedAt: Date;
  dueAt: Date | null;
};

/** Issues a draft: from here on the database refuses changes of what it says. */
export async function writeIssued(tx: SystemTx, id: string, frozen: Frozen): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_issued',
    text: `update invoice set status = 'issued', number = $2, subtotal_minor = $3, tax_rate_basis_points = $4, tax_note = $5, tax_minor = $6,
        total_minor = $3::bigint + $6::bigint, seller = $7, buyer = $8, payment_instructions = $9, issued_at = $10, due_at = $11 where id = $1`,
    values: [
      id,
      frozen.number,
      frozen.subtotalMinor,
      frozen.taxRateBasisPoints,
      frozen.taxNote,
      frozen.taxMinor,
      JSON.stringify(frozen.seller),
      JSON.stringify(frozen.buyer),
      frozen.paymentInstructions,
      frozen.issuedAt,
      frozen.dueAt,
    ],
  });
}

/** Sets the status of the orders on an invoice. */
export async function writeOrders(tx: SystemTx, invoiceId: string, status: 'invoiced' | 'void'): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_orders',
    prepare: false,
    text: `update billing_order o set status = $2 where o.status <> 'void' and o.id in (select l.order_id from invoice_line l where l.invoice_id = $1)`,
    values: [invoiceId, status],
  });
}

export async function writePaid(tx: SystemTx, id: string, paid: { at: Date; reference: string }): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_paid',
    prepare: false,
    text: `update invoice set status = 'paid', paid_at = $2, paid_reference = $3 where id = $1`,
    values: [id, paid.at, paid.reference],
  });
}

export async function writeVoid(tx: SystemTx, id: string, voided: { at: Date; reason: string }): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_void',
    prepare: false,
    text: `update invoice set status = 'void', voided_at = $2, void_reason = $3 where id = $1`,
    values: [id, voided.at, voided.reason],
  });
}

/** A line charged or credited for a period after its invoice: it waits (`invoiceId` null), or stands on a later invoice. */
export type LaterLine = InvoiceLine & {
  id: string;
  invoiceId: string | null;
  /** Whether its invoice is issued or paid. */
  isIssued: boolean;
  /** Whether its invoice is unpaid and has no credit note, so that it can be void. */
  mayBeVoid: boolean;
  invoiceNumber: string | null;
  taxRateBasisPoints: number;
};

/**
 * Returns the later lines of the period of an invoice, in the order of their changes. Those of an invoice that is void, or credited in full, are not
 * among them. `end`: as the invoice prints it.
 */
export async function listLaterLines(
  tx: SystemTx,
  of: { partnerId: string; invoiceId: string; start: Date; end: Date },
): Promise<LaterLine[]> {
  // Staff may have moved the end of the period since: it ends where the next invoice begins, or with the present period of the subscription.
  return runStatement<'billing_later_lines', LaterLine & Record<'periodStart', never>>(tx, {
    name: 'billing_later_lines',
    prepare: false,
    text: `select l.id, l.kind, l.description, l.quantity, l.unit_price_minor, l.amount_minor::float8 as amount_minor, l.period_start, l.period_end, l.order_id,
        l.invoice_id, coalesce(i.status in ('issued', 'paid'), false) as is_issued,
        coalesce(i.status = 'issued' and not exists (select from invoice n where n.credits_invoice_id = i.id), false) as may_be_void, i.number as invoice_number, coalesce(i.tax_rate_basis_points, 0) as tax_rate_basis_points
      from invoice_line l left join invoice i on i.id = l.invoice_id
      where l.partner_id = $1 and l.invoice_id is distinct from $2 and i.status is distinct from 'void' and l.period_start >= $3
        and not exists (select from invoice n where n.credits_invoice_id = i.id having -sum(n.subtotal_minor) >= i.subtotal_minor)
        and l.period_start < coalesce(
          (select min(n.period_start) from invoice n where n.partner_id = $1 and n.kind = 'invoice' and n.period_start > $3),
          (select s.current_period_end from subscription s where s.partner_id = $1 and s.current_period_start = $3), $4::timestamptz)
      order by l.period_start, l.id`,
    values: [of.partnerId, of.invoiceId, of.start, of.end],
  });
}

/** Removes lines that wait or stand on a draft, whose sums the caller writes in the same transaction. */
export async function removeCredits(tx: SystemTx, partnerId: string, lines: readonly string[]): Promise<void> {
  await runStatement(tx, {
    name: 'billing_remove_credits',
    prepare: false,
    text: 'delete from invoice_line where partner_id = $1 and id = any ($2::uuid[])',
    values: [partnerId, lines],
  });
}

export async function writeDraftSums(
  tx: SystemTx,
  id: string,
  { subtotalMinor, taxMinor }: { subtotalMinor: number; taxMinor: number },
): Promise<void> {
  await runStatement(tx, {
    name: 'billing_write_draft_sums',
    prepare: false,
    text: `update invoice set subtotal_minor = $2::bigint, tax_minor = $3::bigint, total_minor = $2::bigint + $3::bigint where id = $1 and status = 'draft'`,
    values: [id, subtotalMinor, taxMinor],
  });
}

export type NewCreditNote = {
  id: string;
  partnerId: string;
  creditsInvoiceId: string;
  currency: string;
  subtotalMinor: number;
  reason: string;
  createdAt: Date;
  lines: readonly { description: string; quantity: number; unitPriceMinor: number; amountMinor: number }[];
};

/** Inserts a credit note as a draft with its lines; amounts are negative. */
export async function insertCreditNote(tx: SystemTx, note: NewCreditNote): Promise<void> {
  await runStatement(tx, {
    name: 'billing_insert_credit_note',
    prepare: false,
    text: `insert into invoice (id, partner_id, kind, currency, subtotal_minor, total_minor, credits_invoice_id, credit_reason, created_at)
      values ($1, $2, 'credit_note', $3, $4::bigint, $4::bigint, $5, $6, $7)`,
    values: [note.id, note.partnerId, note.currency, note.subtotalMinor, note.creditsInvoiceId, note.reason, note.createdAt],
  });
  await runStatement(tx, {
    name: 'billing_insert_credit_lines',
    prepare: false,
    text: `insert into invoice_line (partner_id, invoice_id, position, kind, description, quantity, unit_price_minor, amount_minor, currency, created_at)
      select $1::uuid, $2::uuid, l.position, 'credit_note', l.description, l.quantity, l.unit_price, l.amount, $3::text, $4::timestamptz
      from unnest($5::text[], $6::int[], $7::int[], $8::bigint[]) with ordinality as l(description, quantity, unit_price, amount, position)`,
    values: [
      note.partnerId,
      note.id,
      note.currency,
      note.createdAt,
      note.lines.map((line) => line.description),
      note.lines.map((line) => line.quantity),
      note.lines.map((line) => line.unitPriceMinor),
      note.lines.map((line) => line.amountMinor),
    ],
  });
}

/** `invoices`: those that were added up. */
export type RevenueRow = { month: string; currency: string; invoicedMinor: number; paidMinor: number };

/** Returns what was invoiced and paid since `since`, by UTC month and currency, newest month first. */
export async function sumRevenue(tx: SystemTx, since: Date): Promise<RevenueRow[]> {
  return runStatement<'billing_revenue', RevenueRow>(tx, {
    name: 'billing_revenue',
    prepare: false,
    // By the day first, each for itself: a month of every row takes longer than reading it.
    text: `with invoiced as (
        select (i.issued_at at time zone 'UTC')::date as day, i.currency, sum(i.total_minor) as minor from invoice i
        where i.issued_at >= $1 and i.status <> 'void' group by 1, 2
      ), paid as (
        select (i.paid_at at time zone 'UTC')::date as day, i.currency, sum(i.total_minor) as minor from invoice i
        where i.kind = 'invoice' and i.status = 'paid' and i.paid_at >= $1 group by 1, 2
      ), credited as (
        -- A credit note issued by the payment lowers what was paid; a later one is a refund, in its own month.
        select (greatest(i.paid_at, n.issued_at) at time zone 'UTC')::date as day, i.currency, sum(n.total_minor) as minor
        from invoice n join invoice i on i.id = n.credits_invoice_id
        where n.credits_invoice_id is not null and n.number is not null and i.kind = 'invoice' and i.status = 'paid' and greatest(i.paid_at, n.issued_at) >= $1 group by 1, 2
      )
      select to_char(f.day, 'YYYY-MM') as month, f.currency, sum(f.invoiced)::float8 as invoiced_minor, sum(f.paid)::float8 as paid_minor
      from (select day, currency, minor as invoiced, 0 as paid from invoiced union all select day, currency, 0, minor from paid
        union all select day, currency, 0, minor from credited) f
      group by 1, 2 order by 1 desc, 2`,
    values: [since],
  });
}
