import type { Actor } from '#platform/actor.ts';
import { inScope, readInScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { ClientsDeps } from './create-client.ts';
import { type ClientFilters, findClient, listClients } from './store.ts';
import { toClientsRecord, toRecord } from './to-record.ts';

type ClientQuery = Omit<ClientFilters, 'partnerId'> & { partnerId?: string | undefined; limit: number; cursor?: string | undefined };

type Deps = Pick<ClientsDeps, 'db' | 'firstContactsPerHour'>;

export async function readClients(deps: Deps & { cursors: Cursors }, actor: Actor, query: ClientQuery) {
  const { limit, cursor, partnerId: requested, ...asked } = query;
  const filters = { ...asked, partnerId: requested, route: 'clients', scope: actor.partnerId };
  const [after = null] = deps.cursors.open(filters, cursor) ?? [];
  const { rows, lastLooked } = await inScope(deps.db, actor, requested, async (tx, partnerId) => {
    const found = await listClients(tx, { ...asked, partnerId }, { after, limit });
    await refuseUnknownScope(tx, { partnerId }, found.rows.length);
    return found;
  });
  const seal = (position: readonly string[]): string => deps.cursors.seal(filters, position);
  const page = toPage(rows, limit, (row) => [row.id], seal);
  const nextCursor = page.nextCursor ?? (lastLooked === null ? null : seal([lastLooked]));
  return { nextCursor, data: page.data.map((row) => toRecord(row, deps.firstContactsPerHour)) };
}

/** Columns of the CSV export. Notes are internal to the partner, so they are not exported. */
export const CLIENT_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Client', (row) => row.id],
  ['Name', (row) => row.name],
  ['Status', (row) => row.status],
  ['Health', (row) => row.health],
  ['Contact', (row) => row.contactName],
  ['Mail', (row) => row.contactEmail],
  ['Phone', (row) => row.phone],
  ['Industry', (row) => row.industry],
  ['Reference', (row) => row.externalRef],
  ['Agents', (row) => row.counts.agents],
  ['Runs 30 d', (row) => row.counts.runs30d],
  ['Failures 30 d', (row) => row.counts.failures30d],
  ['Last activity', (row) => row.lastActivityAt],
  ['Created', (row) => row.createdAt],
];

export async function readClient(deps: Deps, actor: Actor, id: string) {
  const facts = await readInScope(deps.db, actor, (tx) => findClient(tx, id));
  return facts ? toRecord(facts, deps.firstContactsPerHour) : refuse('not_found');
}

export async function readOwnClient(deps: { db: Database }, actor: Actor) {
  const { clientId } = actor;
  if (clientId === null) return refuse('not_found');
  const facts = await deps.db.readAsTenant(actor, (tx) => findClient(tx, clientId));
  return facts ? toClientsRecord(facts) : refuse('not_found');
}
