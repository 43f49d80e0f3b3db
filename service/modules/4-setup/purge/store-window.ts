import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Account } from './deps.ts';
import type { PurgeTable } from './plan.ts';

/** Rows looked at and deleted, and the place from which the next window goes on. */
export type Window = { scanned: number; removed: number; place: unknown };

/** Deletes the account's rows among the next `rows` of a range of a table, after `place`; null: from its beginning. */
export async function deleteWindow(
  tx: SystemTx,
  { partnerId, clientId }: Account,
  { table, range, place, rows }: { table: PurgeTable; range: string; place: unknown; rows: number },
): Promise<Window> {
  const { walk } = table;
  const [window = { scanned: 0, removed: 0, place: null }] = await runStatement<'purge_window', Window>(tx, {
    name: 'purge_window',
    text: `select scanned, removed::double precision as removed, place
      from purge_window($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      table.name,
      table.scope,
      range,
      walk.columns,
      walk.descending,
      walk.isUnique,
      place === null ? null : JSON.stringify(place),
      table.matching,
      table.dependents,
      partnerId,
      clientId,
      rows,
    ],
  });
  return window;
}
