import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { listClientUsers } from './store.ts';
import { findClientRef } from './store-ref.ts';

type Page = { limit: number; cursor?: string | undefined };

/** Returns the users of a client's portal. */
export async function readClientUsers(deps: { db: Database; cursors: Cursors }, actor: Actor, clientId: string, { limit, cursor }: Page) {
  const bound = { route: 'client-users', clientId };
  const [after = null] = deps.cursors.open(bound, cursor) ?? [];
  const rows = await inScope(deps.db, actor, undefined, async (tx) =>
    (await findClientRef(tx, clientId)) ? listClientUsers(tx, clientId, { after, limit }) : refuse('not_found'),
  );
  return toPage(
    rows,
    limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(bound, position),
  );
}

/** Columns of the CSV export. */
export const CLIENT_USER_COLUMNS: CsvColumns<Awaited<ReturnType<typeof listClientUsers>>[number]> = [
  ['User', (row) => row.id],
  ['Mail', (row) => row.email],
  ['Name', (row) => row.fullName],
  ['Status', (row) => row.status],
  ['Last login', (row) => row.lastLoginAt],
  ['Created', (row) => row.createdAt],
];
