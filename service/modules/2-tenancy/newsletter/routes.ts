import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { confirmSubscription } from './confirm.ts';
import type { NewsletterDeps } from './deps.ts';
import { readSubscribers, SUBSCRIBER_COLUMNS } from './read-subscribers.ts';
import { subscribe } from './subscribe.ts';
import { endSubscription, showUnsubscribe } from './unsubscribe.ts';

export function newsletterHandlers(deps: NewsletterDeps) {
  return defineHandlers({
    subscribeToNewsletter: ({ body }, context) => subscribe(deps, context, body),
    confirmNewsletter: ({ query }, context) => confirmSubscription(deps, context, query.token),
    showNewsletterUnsubscribe: ({ query }) => showUnsubscribe(query.token),
    unsubscribeFromNewsletter: ({ query }, context) => endSubscription(deps, context, query.token),
    listSubscribers: ({ query }, { actor }) => readSubscribers(deps, actor, query),
    exportSubscribers: ({ query }, { actor, now }) =>
      csvOfList({ name: 'newsletter', now }, SUBSCRIBER_COLUMNS, (cursor) =>
        readSubscribers(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
      ),
  });
}
