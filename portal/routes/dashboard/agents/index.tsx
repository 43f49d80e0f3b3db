import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AgentsPage } from '../../../features/agents/agents-page.tsx';
import { type AgentFilters, parseAgentSearch } from '../../../queries/agents.ts';

export const Route = createFileRoute('/dashboard/agents/')({ validateSearch: parseAgentSearch, component: Agents });

function Agents() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ search: (before) => ({ ...before, ...part }) as AgentFilters, replace: true }),
    [navigate],
  ); // checked again by validateSearch
  return <AgentsPage filters={filters} onChange={change} />;
}
