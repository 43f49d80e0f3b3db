import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { refuseUnknownScope } from './refuse-unknown-scope.ts';

type ScopedQuery = { partnerId?: string | undefined; clientId?: string | undefined; limit: number; cursor?: string | undefined };
/** The filters of a request within the caller's scope: a client user's own client, whichever it names; null partner: all, for staff. */
type ScopedFilters<Query extends ScopedQuery> = Omit<Query, 'limit' | 'cursor' | 'partnerId' | 'clientId'> & {
  partnerId: string | null;
  clientId: string | undefined;
};

/**
 * Reads one page of a list that staff, partners and clients share, in one transaction, newest first by id. Refuses `not_found` for a client or
 * partner outside the caller's scope. `list` names the list, to which the cursor is bound with the filters.
 */
export async function readScopedPage<Query extends ScopedQuery, Row extends { id: string }, Item>(
  deps: { db: Database; cursors: Cursors },
  actor: Actor,
  query: Query,
  read: {
    list: string;
    rows: (tx: Tx, filters: ScopedFilters<Query>, before: string | null, limit: number) => Promise<Row[]>;
    items: (tx: Tx, rows: Row[]) => Promise<Item[]>;
  },
): Promise<{ data: Item[]; nextCursor: string | null }> {
  const { limit, cursor, partnerId: requested, clientId, ...rest } = query;
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) refuse('not_found');
  const readPage = async (tx: Tx, partnerId: string | null) => {
    const filters: ScopedFilters<Query> = { ...rest, partnerId, clientId: actor.clientId ?? clientId };
    const bound = { ...filters, list: read.list };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const rows = await read.rows(tx, filters, before, limit + 1);
    await refuseUnknownScope(tx, filters, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: await read.items(tx, page.data), nextCursor: page.nextCursor };
  };
  return inScope(deps.db, actor, requested, readPage);
}
