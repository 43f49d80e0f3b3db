import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { findOwnPartner, findPartner, listPartners, type PartnerFilters } from './store.ts';
import { toRecord } from './to-record.ts';

/** All agencies, newest first, as staff see them. */
export async function readPartners(
  deps: { db: Database; cursors: Cursors },
  actor: Actor,
  query: PartnerFilters & { limit: number; cursor?: string | undefined },
) {
  const filters = { ...query, route: 'partners' };
  const [after = null] = deps.cursors.open(filters, query.cursor) ?? [];
  const rows = await deps.db.asStaff(actor, (tx) => listPartners(tx, query, { after, limit: query.limit }));
  const page = toPage(
    rows,
    query.limit,
    (row) => [row.id],
    (position) => deps.cursors.seal(filters, position),
  );
  return { ...page, data: page.data.map(toRecord) };
}

export async function readPartner(deps: { db: Database }, actor: Actor, id: string) {
  const facts = await deps.db.asStaff(actor, (tx) => findPartner(tx, id));
  return facts ? toRecord(facts) : refuse('not_found');
}

export async function readOwnPartner(deps: { db: Database }, actor: Actor) {
  const facts = await deps.db.asTenant(actor, (tx) => findOwnPartner(tx, actor.partnerId));
  return facts ? toRecord(facts) : refuse('not_found');
}
