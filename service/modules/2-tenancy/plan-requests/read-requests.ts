import type { Actor } from '#platform/actor.ts';
import { readInScope } from '#platform/db/scope.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { PlanRequestDeps } from './deps.ts';
import { refuseOtherSuspension } from './refuse-other-suspension.ts';
import { findPlanRequest, listPlanRequests, type PlanRequestFilters } from './store.ts';
import { toRecord } from './to-record.ts';

/** Staff see all requests, a partner its own. */
export async function readRequests(
  { db, cursors }: PlanRequestDeps,
  actor: Actor,
  query: PlanRequestFilters & { limit: number; cursor?: string | undefined },
) {
  const filters = { ...query, list: 'plan-requests', partnerId: actor.role === 'ADMIN' ? null : actor.partnerId };
  const [before = null] = cursors.open(filters, query.cursor) ?? [];
  const [rows] = await readInScope(db, actor, (tx) =>
    Promise.all([listPlanRequests(tx, query, before, query.limit + 1), refuseOtherSuspension(tx, actor)]),
  );
  const page = toPage(
    rows,
    query.limit,
    (row) => [row.id],
    (position) => cursors.seal(filters, position),
  );
  return { ...page, data: page.data.map((row) => toRecord(row, actor)) };
}

export async function readRequest({ db }: PlanRequestDeps, actor: Actor, id: string) {
  const [row] = await readInScope(db, actor, (tx) => Promise.all([findPlanRequest(tx, id), refuseOtherSuspension(tx, actor)]));
  return row ? toRecord(row, actor) : refuse('not_found');
}

const COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Request', (row) => row.id],
  ['Kind', (row) => row.kind],
  ['Status', (row) => row.status],
  ['Company', (row) => row.applicant.companyName],
  ['Name', (row) => row.applicant.fullName],
  ['Mail', (row) => row.applicant.email],
  ['Plan', (row) => row.planName],
  ['Note', (row) => row.decisionNote],
  ['Created', (row) => row.createdAt],
  ['Decided', (row) => row.decidedAt],
];

export function exportRequests(deps: PlanRequestDeps, actor: Actor, now: Date, filters: PlanRequestFilters) {
  return csvOfList({ name: 'plan-requests', now }, COLUMNS, (cursor) => readRequests(deps, actor, { ...filters, limit: CSV_PAGE, cursor }));
}
