import { SUBSCRIBER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { oneOf, searchParser, textParam } from '../../app/search-params.ts';
import { NewsletterPage } from '../../features/newsletter/newsletter-page.tsx';
import { subscribersQuery } from '../../features/newsletter/queries.ts';

const parseSearch = searchParser({ q: textParam, status: oneOf(SUBSCRIBER_STATUSES) });

export const Route = createFileRoute('/admin/newsletter')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('subscribers'));
    startQueries(preload, subscribersQuery(deps));
  },
  component: Newsletter,
});

function Newsletter() {
  const [search, onSearch] = useSearchState(Route);
  return <NewsletterPage search={search} onSearch={onSearch} />;
}
