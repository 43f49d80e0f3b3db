import type { CsvColumns } from '#platform/http/csv-list.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import type { CsvValue } from '#platform/http/csv.ts';
import { toPage } from '#platform/http/cursor.ts';
import type { MeteringDeps } from './deps.ts';
import { type LedgerFilters, type LedgerRow, listEntries } from './store.ts';

type LedgerQuery = Omit<LedgerFilters, 'partnerId'> & { partnerId?: string | undefined };

/** Returns one page of usage entries in scope, newest first. */
export async function listLedger(
  { db, cursors }: MeteringDeps,
  actor: Actor,
  query: LedgerQuery & { limit: number; cursor?: string | undefined },
) {
  const { limit, cursor, ...named } = query;
  return inScope(db, actor, named.partnerId, async (tx, partnerId) => {
    const filters = { ...named, partnerId };
    const bound = { ...filters, list: 'ledger' };
    const rows = await listEntries(tx, filters, cursors.open(bound, cursor), limit + 1);
    await refuseUnknownScope(tx, filters, rows.length);
    return toPage(rows, limit, markOf, (position) => cursors.seal(bound, position));
  });
}

const CSV_PAGE = 1_000;
const CSV_COLUMNS: CsvColumns<LedgerRow> = [
  ['Time', (row) => row.at],
  ['Kind', (row) => row.kind],
  ['Credits', (row) => row.credits],
  ['Client', (row) => row.clientName],
  ['Agent', (row) => row.agentName],
  ['Run', (row) => row.executionId],
  ['Order', (row) => row.orderId],
  ['Note', (row) => row.note],
  ['Began', (row) => row.beganAt],
];

/** Exports the entries as CSV; each page has its own transaction, so a slow client holds none open. */
export async function exportLedger({ db }: MeteringDeps, actor: Actor, query: LedgerQuery, now: Date): Promise<CsvAnswer> {
  const read = (before: readonly string[] | null): Promise<LedgerRow[]> =>
    inScope(db, actor, query.partnerId, async (tx, partnerId) => {
      const found = await listEntries(tx, { ...query, partnerId }, before, CSV_PAGE);
      if (before === null) await refuseUnknownScope(tx, { ...query, partnerId }, found.length);
      return found;
    });
  const first = await read(null);
  const pages = async function* (): AsyncGenerator<readonly (readonly CsvValue[])[]> {
    for (let page = first; page.length > 0;) {
      yield page.map((row) => CSV_COLUMNS.map(([, value]) => value(row)));
      const last = page.at(-1);
      page = page.length < CSV_PAGE || !last ? [] : await read(markOf(last));
    }
  };
  return {
    kind: 'csv',
    filename: `credits-${now.toISOString().slice(0, 10)}.csv`,
    columns: CSV_COLUMNS.map(([heading]) => heading),
    pages: pages(),
  };
}

function markOf(row: LedgerRow): readonly string[] {
  return [row.id, row.kind];
}
