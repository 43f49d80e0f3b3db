import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AgentsPage } from '../../../features/agents/agents-page.tsx';
import { type AgentFilters, parseAgentSearch, agentsQuery } from '../../../queries/agents.ts';
import { startMissing, startQueries } from '../../../app/route-data.ts';
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
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ search: (before) => ({ ...before, ...part }) as AgentFilters, replace: true, resetScroll: false }),
    [navigate],
  ); // checked again by validateSearch
  return <AgentsPage filters={filters} onChange={change} />;
}
