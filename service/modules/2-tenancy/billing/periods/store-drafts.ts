import type { InvoiceLine } from '@partner-portal/core/billing/next-invoice.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** Returns the lines of a partner that are on no invoice yet, oldest first. */
export async function listWaitingLines(tx: Tx, partnerId: string): Promise<InvoiceLine[]> {
  return runStatement<'billing_waiting_lines', InvoiceLine>(tx, {
    name: 'billing_waiting_lines',
    text: `select id, kind, description, quantity, unit_price_minor, amount_minor, period_start, period_end, order_id
      from invoice_line where partner_id = $1 and invoice_id is null order by id`,
    values: [partnerId],
  });
}

export type Tax = { rateBasisPoints: number; note: string | null };

export async function findTax(tx: SystemTx, partnerId: string): Promise<Tax> {
  const [row] = await runStatement<'billing_tax', Tax>(tx, {
    name: 'billing_tax',
    text: 'select tax_rate_basis_points as rate_basis_points, tax_note as note from billing_profile where partner_id = $1',
    values: [partnerId],
  });
  return row ?? { rateBasisPoints: 0, note: null };
}

export type NewDraft = {
  id: string;
  partnerId: string;
  currency: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  subtotalMinor: number;
  taxRateBasisPoints: number;
  taxNote: string | null;
  taxMinor: number;
  totalMinor: number;
  /** In their order on the invoice. Those with an id were waiting. */
  lines: readonly InvoiceLine[];
  /** Credits that wait for the next invoice. Those with an id wait already. */
  carried: readonly InvoiceLine[];
  now: Date;
};

/** Stores a draft with its lines in one statement: new lines are inserted, waiting ones join it. Fails when the period has an invoice. */
export async function insertDraft(tx: SystemTx, draft: NewDraft): Promise<void> {
  const fresh = [
    ...draft.lines.map((line, index) => ({ ...line, invoiceId: draft.id, position: index + 1 })),
    ...draft.carried.map((line) => ({ ...line, invoiceId: null, position: 0 })),
  ];
  await runStatement(tx, {
    name: 'billing_insert_draft',
    text: `with line as (
        select l.* from jsonb_to_recordset($12::jsonb) as l(id uuid, kind text, description text, quantity int, "unitPriceMinor" int, "amountMinor" bigint,
          "periodStart" timestamptz, "periodEnd" timestamptz, "orderId" uuid, "invoiceId" uuid, position int)
      ), drafted as (
        insert into invoice (id, partner_id, currency, period_start, period_end, subtotal_minor, tax_rate_basis_points, tax_note, tax_minor, total_minor, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      ), added as (
        insert into invoice_line (partner_id, invoice_id, position, kind, description, quantity, unit_price_minor, amount_minor, currency, period_start, period_end,
          order_id, created_at)
        select $2, l."invoiceId", l.position, l.kind, l.description, l.quantity, l."unitPriceMinor", l."amountMinor", $3, l."periodStart", l."periodEnd", l."orderId", $11
        from line l where l.id is null
      )
      update invoice_line w set invoice_id = l."invoiceId", position = l.position, amount_minor = l."amountMinor"
      from line l where w.id = l.id and w.partner_id = $2 and w.invoice_id is null and l."invoiceId" is not null`,
    values: [
      draft.id,
      draft.partnerId,
      draft.currency,
      draft.periodStart,
      draft.periodEnd,
      draft.subtotalMinor,
      draft.taxRateBasisPoints,
      draft.taxNote,
      draft.taxMinor,
      draft.totalMinor,
      draft.now,
      JSON.stringify(fresh),
    ],
  });
}
