import { createFileRoute } from '@tanstack/react-router';
import { causesQuery, parseRunSearch, rerunsQuery, runsQuery } from '../../../features/runs/queries.ts';
import { RunsPage } from '../../../features/runs/runs-page.tsx';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { useSearchState } from '../../../app/search-state.ts';
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
  const [filters, change] = useSearchState(Route);
  return <RunsPage filters={filters} onChange={change} />;
}
