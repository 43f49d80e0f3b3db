import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { decideName } from './decide-review.ts';
import type { NameReviewDeps } from './deps.ts';
import { NAME_REVIEW_COLUMNS, readReview, readReviews } from './read-reviews.ts';

export function nameReviewHandlers(deps: NameReviewDeps) {
  return defineHandlers({
    listNameReviews: ({ query }, { actor }) => readReviews(deps, actor, query),
    exportNameReviews: ({ query }, { actor, now }) =>
      csvOfList({ name: 'names', now }, NAME_REVIEW_COLUMNS, (cursor) => readReviews(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    getNameReview: ({ params }, { actor }) => readReview(deps, actor, params.id),
    approveNameReview: ({ params, body }, context) => decideName(deps, context, params.id, { status: 'approved', note: body.note || null }),
    rejectNameReview: ({ params, body }, context) => decideName(deps, context, params.id, { status: 'rejected', note: body.note }),
  });
}
