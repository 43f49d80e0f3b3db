import { keptSince } from '@partner-portal/core/newsletter/newsletter.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { confirmSubscription } from './confirm.ts';
import type { NewsletterDeps } from './deps.ts';
import { readSubscribers, SUBSCRIBER_COLUMNS } from './read-subscribers.ts';
import { deleteOld } from './store.ts';
import { subscribe } from './subscribe.ts';
import { endSubscription, showUnsubscribe } from './unsubscribe.ts';

export { mayMailAddress, requestSubscription } from './subscribe.ts';

/** Who asked for the newsletter: double opt-in, one click to leave, and what staff see of it. */
export function newsletter(deps: NewsletterDeps) {
  const { db, clock } = deps;
  return {
    routes: defineHandlers({
      subscribeToNewsletter: ({ body }, context) => subscribe(deps, context, body),
      confirmNewsletter: ({ query }, context) => confirmSubscription(deps, context, query.token),
      showNewsletterUnsubscribe: ({ query }) => showUnsubscribe(query.token),
      unsubscribeFromNewsletter: ({ query }, context) => endSubscription(deps, context, query.token),
      listSubscribers: ({ query }, { actor }) => readSubscribers(deps, actor, query),
      exportSubscribers: ({ query }, { actor, now }) =>
        csvOfList({ name: 'newsletter', now }, SUBSCRIBER_COLUMNS, (cursor) =>
          readSubscribers(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
        ),
    }),
    crons: [defineCron('newsletter.forget', '23 3 * * *', () => db.asSystem('sweep', (tx) => deleteOld(tx, keptSince(clock.now()))))],
  };
}
