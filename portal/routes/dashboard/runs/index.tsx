import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { causesQuery, parseRunSearch, rerunsQuery, type RunFilters, runsQuery } from '../../../features/runs/queries.ts';
import { RunsPage } from '../../../features/runs/runs-page.tsx';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { summaryQuery } from '../../../queries/agency.ts';
import { agentNamesQuery } from '../../../queries/agents.ts';
import { clientNamesQuery } from '../../../queries/clients.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';

export const Route = createFileRoute('/dashboard/runs/')({
  validateSearch: parseRunSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, summaryQuery(deps.client), clientNamesQuery(undefined), agentNamesQuery(deps.client), savedFiltersQuery('runs'));
    startQueries(preload, runsQuery(deps), causesQuery(deps), rerunsQuery);
  },
  component: Runs,
});

function Runs() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (part: { [K in keyof RunFilters]?: RunFilters[K] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...part }) as RunFilters, replace: true, resetScroll: false }),
    [navigate],
  ); // unset members leave the address in validateSearch
  return <RunsPage filters={filters} onChange={change} />;
}
