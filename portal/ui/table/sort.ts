import { readerTag } from '../text/reader.ts';
import type { Order } from './table.tsx';

/** The orders of a column by a name: "runs" begins with the least, "-runs" with the most. `first` is the one that its heading chooses first. */
export function ordersOf(name: string, first: Order['direction']): readonly [Order, Order] {
  const ascending = { name, direction: 'ascending' } as const;
  const descending = { name: `-${name}`, direction: 'descending' } as const;
  return first === 'ascending' ? [ascending, descending] : [descending, ascending];
}

/** Returns rows that are all loaded in one of the orders of `ordersOf`; as they are without one. Rows with the same value keep their places. */
export function sortRows<Row>(
  rows: readonly Row[],
  order: string | undefined,
  values: Readonly<Record<string, (row: Row) => string | number>>,
): readonly Row[] {
  const valueOf = order === undefined ? undefined : values[order.replace(/^-/, '')];
  if (!valueOf) return rows;
  const sign = order?.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(valueOf(a), valueOf(b)));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), readerTag());
}
