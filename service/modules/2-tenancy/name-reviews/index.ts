import { defineCron } from '#platform/jobs/define-job.ts';
import type { NameReviewDeps } from './deps.ts';
import { lookAtNames } from './look-at-names.ts';
import { nameReviewHandlers } from './routes.ts';

export { reviewNames } from './review-names.ts';

/** Names that resemble a protected one: staff approve or reject them, and mail to strangers waits meanwhile. */
export function nameReviews(deps: NameReviewDeps) {
  return {
    routes: nameReviewHandlers(deps),
    crons: [defineCron('name-reviews.look', '7 * * * *', (context) => lookAtNames(deps, context))],
  };
}
