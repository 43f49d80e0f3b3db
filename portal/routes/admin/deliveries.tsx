import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { StaffEndpointsPage } from '../../features/webhooks/staff-endpoints-page.tsx';
import type { StaffSearch } from '../../features/webhooks/queries.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';
import { staffEndpointsQuery } from '../../features/webhooks/queries.ts';

export const Route = createFileRoute('/admin/deliveries')({
  validateSearch: (search: Record<string, unknown>): StaffSearch =>
    onlySet({ show: choiceParam(['all'] as const, search.show), partner: idParam(search.partner) }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('deliveries'));
    startQueries(preload, staffEndpointsQuery(deps));
  },
  component: Deliveries,
});

function Deliveries() {
  const navigate = Route.useNavigate();
  const onSearch = useCallback(
    (change: StaffSearch) => void navigate({ search: (before) => onlySet({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <StaffEndpointsPage search={Route.useSearch()} onSearch={onSearch} />;
}
