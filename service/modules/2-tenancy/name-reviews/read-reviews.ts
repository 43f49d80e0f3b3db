import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { NameReviewDeps } from './deps.ts';
import { findReview, listReviews, type NameReviewFilters, type NameReviewRow } from './store.ts';

export const NAME_REVIEW_COLUMNS: CsvColumns<NameReviewRow> = [
  ['Name review', (row) => row.id],
  ['Agency', (row) => row.partnerName],
  ['Name', (row) => row.name],
  ['Of', (row) => (row.clientId === null ? 'agency' : 'client')],
  ['Resembles', (row) => row.resembles],
  ['Status', (row) => row.status],
  ['Waiting mails', (row) => row.waitingMails],
  ['Note', (row) => row.note],
  ['Created', (row) => row.createdAt],
  ['Decided', (row) => row.decidedAt],
];

/** Returns a page of the names that were held, newest first. */
export async function readReviews(
  { db, cursors }: NameReviewDeps,
  actor: Actor,
  { limit, cursor, ...filters }: NameReviewFilters & { limit: number; cursor?: string | undefined },
) {
  return db.asStaff(actor, async (tx) => {
    const bound = { ...filters, list: 'name-reviews' };
    const [before = null] = cursors.open(bound, cursor) ?? [];
    const rows = await listReviews(tx, filters, before, limit + 1);
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => cursors.seal(bound, position),
    );
  });
}

export function readReview({ db }: NameReviewDeps, actor: Actor, id: string) {
  return db.asStaff(actor, async (tx) => (await findReview(tx, id)) ?? refuse('not_found'));
}
