import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { findOwnPartner, findPartner, listPartners, type PartnerFilters } from './store.ts';
import { toRecord } from './to-record.ts';

/** Returns all partners, newest first, for staff. */
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

/** Columns of the CSV export. */
export const PARTNER_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Agency', (row) => row.id],
  ['Name', (row) => row.name],
  ['Slug', (row) => row.slug],
  ['Status', (row) => row.status],
  ['Plan', (row) => row.planName],
  ['Automation', (row) => row.automationStatus],
  ['Clients', (row) => row.counts.clients],
  ['Agents', (row) => row.counts.agents],
  ['Runs 7 d', (row) => row.runs7d],
  ['Failures 7 d', (row) => row.failures7d],
  ['Usage %', (row) => row.usagePercent],
  ['Created', (row) => row.createdAt],
];

export async function readPartner(deps: { db: Database }, actor: Actor, id: string) {
  const facts = await deps.db.asStaff(actor, (tx) => findPartner(tx, id));
  return facts ? toRecord(facts) : refuse('not_found');
}

export async function readOwnPartner(deps: { db: Database }, actor: Actor) {
  const facts = await deps.db.readAsTenant(actor, (tx) => findOwnPartner(tx, actor.partnerId));
  return facts ? toRecord(facts) : refuse('not_found');
}
