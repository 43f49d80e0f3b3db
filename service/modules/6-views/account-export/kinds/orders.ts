import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const orders = defineKind({
  name: 'orders',
  about: 'Seats and credits that were bought.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_orders'>(tx, {
      name: 'export_orders',
      prepare: false,
      text: `select t.id, t.kind, t.pack_id, t.quantity, t.credits, t.unit_price_minor, t.amount_minor, t.currency, t.status,
          u.id as ordered_by, t.created_at
        from billing_order t left join app_user u on u.id = t.ordered_by
        where t.partner_id = $1 and ($2::uuid is null) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    kind: 'value',
    packId: 'value',
    quantity: 'value',
    credits: 'value',
    unitPriceMinor: 'value',
    amountMinor: 'value',
    currency: 'value',
    status: 'value',
    orderedBy: 'value',
    createdAt: 'value',
  },
});
