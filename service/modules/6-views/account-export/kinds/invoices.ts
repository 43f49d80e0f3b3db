import { type RowOf, runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';
import { loadWhole } from './load-whole.ts';

type Invoice = RowOf<'export_invoices'> & { id: string };

export const invoices = defineKind({
  name: 'invoices',
  about: 'Issued invoices and credit notes; their documents are in files/invoices.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_invoices', Invoice>(tx, {
      name: 'export_invoices',
      prepare: false,
      text: `select t.id, t.number, t.kind, t.status, t.currency, t.subtotal_minor, t.tax_minor, t.total_minor, t.tax_rate_basis_points, t.tax_note,
          t.period_start, t.period_end, t.issued_at, t.due_at, t.paid_at, t.paid_reference, t.voided_at, t.void_reason, t.credits_invoice_id,
          t.credit_reason, t.payment_instructions, t.seller::text as seller, t.buyer::text as buyer,
          case when d.invoice_id is not null then 'files/invoices/' || t.number || '.pdf' end as document, d.file_id, t.created_at
        from invoice t left join invoice_document d on d.invoice_id = t.id
        where t.partner_id = $1 and $2::uuid is null and t.number is not null and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    number: 'value',
    kind: 'value',
    status: 'value',
    currency: 'value',
    subtotalMinor: 'value',
    taxMinor: 'value',
    totalMinor: 'value',
    taxRateBasisPoints: 'value',
    taxNote: 'value',
    periodStart: 'value',
    periodEnd: 'value',
    issuedAt: 'value',
    dueAt: 'value',
    paidAt: 'value',
    paidReference: 'value',
    voidedAt: 'value',
    voidReason: 'value',
    creditsInvoiceId: 'value',
    creditReason: 'value',
    paymentInstructions: 'value',
    seller: 'json',
    buyer: 'json',
    document: 'value',
    fileId: 'hidden',
    createdAt: 'value',
  },
  attached: ({ document, fileId }, tx, files) =>
    document === null || fileId === null ? null : { path: document, load: () => loadWhole(tx, files, fileId) },
});
