import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const invoiceLines = defineKind({
  name: 'invoice-lines',
  about: 'The lines of issued invoices and credit notes.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_invoice_lines'>(tx, {
      name: 'export_invoice_lines',
      prepare: false,
      text: `select t.id, t.invoice_id, t.order_id, t.position, t.kind, t.description, t.quantity, t.unit_price_minor, t.amount_minor,
          t.currency, t.period_start, t.period_end, t.created_at
        from invoice_line t join invoice i on i.id = t.invoice_id
        where t.partner_id = $1 and ($2::uuid is null) and i.number is not null and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    invoiceId: 'value',
    orderId: 'value',
    position: 'value',
    kind: 'value',
    description: 'value',
    quantity: 'value',
    unitPriceMinor: 'value',
    amountMinor: 'value',
    currency: 'value',
    periodStart: 'value',
    periodEnd: 'value',
    createdAt: 'value',
  },
});
