import { keptSince } from '@partner-portal/core/newsletter/newsletter.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { NewsletterDeps } from './deps.ts';
import { deleteOld } from './store.ts';
import { newsletterHandlers } from './routes.ts';

export { mayMailAddress, requestSubscription } from './subscribe.ts';

/** Subscribers of the newsletter: double opt-in, one click to leave, and the view of staff. */
export function newsletter(deps: NewsletterDeps) {
  const { db, clock } = deps;
  return {
    routes: newsletterHandlers(deps),
    crons: [defineCron('newsletter.forget', '23 3 * * *', () => db.asSystem('sweep', (tx) => deleteOld(tx, keptSince(clock.now()))))],
  };
}
