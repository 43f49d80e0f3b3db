import type { Actor } from '#platform/actor.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { PurchasesDeps } from './deps.ts';
import { listOrders, type OrderFilters, type OrderRow } from './store-orders.ts';

type OrderQuery = OrderFilters & { partnerId?: string | undefined };

/** One page of orders in scope, newest first. Answers for a suspended account too: it has to see what it owes. */
export function readOrders(
  deps: Pick<PurchasesDeps, 'db' | 'cursors'>,
  actor: Actor,
  query: OrderQuery & { limit: number; cursor?: string | undefined },
) {
  return readScopedPage(deps, actor, query, { list: 'orders', rows: listOrders, items: async (_tx, rows) => rows });
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
