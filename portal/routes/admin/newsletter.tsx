import { SUBSCRIBER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { choiceParam, onlySet, textParam } from '../../app/search-params.ts';
import { NewsletterPage } from '../../features/newsletter/newsletter-page.tsx';
import { type SubscriberFilters, subscribersQuery } from '../../features/newsletter/queries.ts';

export const Route = createFileRoute('/admin/newsletter')({
  validateSearch: (search: Record<string, unknown>): SubscriberFilters =>
    onlySet({ q: textParam(search.q), status: choiceParam(SUBSCRIBER_STATUSES, search.status) }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('subscribers'));
    startQueries(preload, subscribersQuery(deps));
  },
  component: Newsletter,
});

function Newsletter() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: SubscriberFilters) =>
      void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <NewsletterPage search={Route.useSearch()} onSearch={onSearch} />;
}
