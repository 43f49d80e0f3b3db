import type { Actor } from '#platform/actor.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { refuse } from '#platform/refuse.ts';
import { decideName } from './decide-review.ts';
import type { NameReviewDeps } from './deps.ts';
import { lookAtNames } from './look-at-names.ts';
import { findReview, listReviews, type NameReviewFilters, type NameReviewRow } from './store.ts';

export { reviewNames } from './review-names.ts';

/** Names that resemble a protected one: staff approve or reject them, and mail to strangers waits meanwhile. */
export function nameReviews(deps: NameReviewDeps) {
  const { db } = deps;
  return {
    routes: defineHandlers({
      listNameReviews: ({ query }, { actor }) => readReviews(deps, actor, query),
      exportNameReviews: ({ query }, { actor, now }) =>
        csvOfList({ name: 'names', now }, COLUMNS, (cursor) => readReviews(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
      getNameReview: ({ params }, { actor }) => db.asStaff(actor, async (tx) => (await findReview(tx, params.id)) ?? refuse('not_found')),
      approveNameReview: ({ params, body }, context) =>
        decideName(deps, context, params.id, { status: 'approved', note: body.note || null }),
      rejectNameReview: ({ params, body }, context) => decideName(deps, context, params.id, { status: 'rejected', note: body.note }),
    }),
    crons: [defineCron('name-reviews.look', '7 * * * *', (context) => lookAtNames(deps, context))],
  };
}

const COLUMNS: CsvColumns<NameReviewRow> = [
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

async function readReviews(
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
