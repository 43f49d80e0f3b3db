import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type OrderRow = {
  id: string;
  partnerId: string;
  kind: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  packId: string | null;
  credits: number | null;
  status: string;
  orderedBy: string | null;
  orderedByName: string | null;
  invoiceId: string | null;
  createdAt: Date;
};

// Row-level security hides the names of staff from partners. A draft, also a void one, is for staff only: no order links to it.
const COLUMNS = `o.id, o.partner_id, o.kind, o.quantity, o.unit_price_minor, o.amount_minor::float8 as amount_minor, o.currency, o.pack_id, o.credits, o.status,
  u.id as ordered_by, coalesce(nullif(u.full_name, ''), u.email) as ordered_by_name,
  (select i.id from invoice_line l join invoice i on i.id = l.invoice_id where l.order_id = o.id and i.number is not null order by i.id desc limit 1) as invoice_id, o.created_at`;

export async function findOrder(tx: Tx, id: string): Promise<OrderRow> {
  const [row] = await runStatement<'billing_find_order', OrderRow>(tx, {
    name: 'billing_find_order',
    text: `select ${COLUMNS} from billing_order o left join app_user u on u.id = o.ordered_by where o.id = $1`,
    values: [id],
  });
  if (!row) throw new Error(`The order ${id} is missing.`);
  return row;
}

export type OrderFilters = { kind?: string | undefined; status?: string | undefined; from?: string | undefined; to?: string | undefined };

/** Newest first. */
export async function listOrders(
  tx: Tx,
  filters: OrderFilters & { partnerId: string | null },
  before: string | null,
  limit: number,
): Promise<OrderRow[]> {
  return runStatement<'billing_list_orders', OrderRow>(tx, {
    name: 'billing_list_orders',
    prepare: false,
    text: `select ${COLUMNS} from billing_order o left join app_user u on u.id = o.ordered_by
      where ($1::uuid is null or o.partner_id = $1) and ($2::text is null or o.kind = $2) and ($3::text is null or o.status = $3)
        and ($4::timestamptz is null or o.created_at >= $4) and ($5::timestamptz is null or o.created_at < $5) and ($6::uuid is null or o.id < $6)
      order by o.id desc limit $7`,
    values: [filters.partnerId, filters.kind ?? null, filters.status ?? null, filters.from ?? null, filters.to ?? null, before, limit],
  });
}
