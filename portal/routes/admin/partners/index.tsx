import { INSTANCE_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { createFileRoute } from '@tanstack/react-router';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { oneOf, searchParser, textParam } from '../../../app/search-params.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { PartnersPage } from '../../../features/partners/partners-page.tsx';
import { partnersQuery } from '../../../features/partners/queries.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';

const parseSearch = searchParser({
  q: textParam,
  status: oneOf(['active', 'suspended', 'deleted']),
  automationStatus: oneOf(INSTANCE_STATUSES),
});

export const Route = createFileRoute('/admin/partners/')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('partners'));
    startQueries(preload, partnersQuery(deps));
  },
  component: Partners,
});

function Partners() {
  const [filters, onSearch] = useSearchState(Route);
  return <PartnersPage filters={filters} onSearch={onSearch} />;
}
