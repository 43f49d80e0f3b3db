import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { PurchasesDeps } from './deps.ts';
import { listOrders, type OrderFilters, type OrderRow } from './store-orders.ts';

type OrderQuery = OrderFilters & { partnerId?: string | undefined };

/** One page of orders in scope, newest first. Answers for a suspended account too: it has to see what it owes. */
export async function readOrders(
  { db, cursors }: Pick<PurchasesDeps, 'db' | 'cursors'>,
  actor: Actor,
  query: OrderQuery & { limit: number; cursor?: string | undefined },
) {
  const { limit, cursor, ...named } = query;
  return inScope(
    db,
    actor,
    named.partnerId,
    async (tx, partnerId) => {
      const filters = { ...named, partnerId };
      const bound = { ...filters, list: 'orders' };
      const [before = null] = cursors.open(bound, cursor) ?? [];
      const rows = await listOrders(tx, filters, { before, limit });
      await refuseUnknownScope(tx, { partnerId }, rows.length);
      return toPage(
        rows,
        limit,
        (row) => [row.id],
        (position) => cursors.seal(bound, position),
      );
    },
    { whileSuspended: true },
  );
}

const COLUMNS: CsvColumns<OrderRow> = [
  ['Order', (row) => row.id],
  ['Time', (row) => row.createdAt],
  ['Kind', (row) => row.kind],
  ['Quantity', (row) => row.quantity],
  ['Unit price (minor)', (row) => row.unitPriceMinor],
  ['Amount (minor)', (row) => row.amountMinor],
  ['Currency', (row) => row.currency],
  ['Pack', (row) => row.packId],
  ['Credits', (row) => row.credits],
  ['Status', (row) => row.status],
  ['Ordered by', (row) => row.orderedByName],
  ['Invoice', (row) => row.invoiceId],
];

/** CSV export of the list. */
export function exportOrders(deps: Pick<PurchasesDeps, 'db' | 'cursors'>, actor: Actor, query: OrderQuery, now: Date) {
  return csvOfList({ name: 'orders', now }, COLUMNS, (cursor) => readOrders(deps, actor, { ...query, limit: CSV_PAGE, cursor }));
}
