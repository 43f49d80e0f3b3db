import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const billingProfile = defineKind({
  name: 'billing-profile',
  about: 'What invoices print of the agency, and its tax.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_billing_profile'>(tx, {
      name: 'export_billing_profile',
      prepare: false,
      text: `select t.partner_id as id, t.billing_email, t.tax_id, t.address, t.country, t.tax_rate_basis_points, t.tax_note, t.updated_at
        from billing_profile t where t.partner_id = $1 and ($2::uuid is null or t.partner_id > $2)
        order by t.partner_id limit $3`,
      values: [scope.partnerId, after, limit],
    }),
  columns: {
    id: 'value',
    billingEmail: 'value',
    taxId: 'value',
    address: 'value',
    country: 'value',
    taxRateBasisPoints: 'value',
    taxNote: 'value',
    updatedAt: 'value',
  },
});
