import { createFileRoute } from '@tanstack/react-router';
import { AgentsPage } from '../../../features/agents/agents-page.tsx';
import { parseAgentSearch, agentsQuery } from '../../../queries/agents.ts';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';
import { catalogQuery } from '../../../queries/catalog.ts';

export const Route = createFileRoute('/dashboard/agents/')({
  validateSearch: parseAgentSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('agents'), catalogQuery(undefined));
    startQueries(preload, agentsQuery(deps));
  },
  component: Agents,
});

function Agents() {
  const [filters, change] = useSearchState(Route);
  return <AgentsPage filters={filters} onChange={change} />;
}
