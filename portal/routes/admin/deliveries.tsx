import { createFileRoute } from '@tanstack/react-router';
import { StaffEndpointsPage } from '../../features/webhooks/staff-endpoints-page.tsx';
import { idParam, oneOf, searchParser } from '../../app/search-params.ts';
import { useSearchState } from '../../app/search-state.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { staffEndpointsQuery } from '../../features/webhooks/queries.ts';

const parseSearch = searchParser({ show: oneOf(['all']), partner: idParam });

export const Route = createFileRoute('/admin/deliveries')({
  validateSearch: parseSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('deliveries'));
    startQueries(preload, staffEndpointsQuery(deps));
  },
  component: Deliveries,
});

function Deliveries() {
  const [search, onSearch] = useSearchState(Route);
  return <StaffEndpointsPage search={search} onSearch={onSearch} />;
}
