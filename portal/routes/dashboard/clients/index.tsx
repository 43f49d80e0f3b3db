import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ClientsPage } from '../../../features/clients/clients-page.tsx';
import { type ClientSearch, parseClientSearch, clientsQuery } from '../../../queries/clients.ts';
import { onlySet } from '../../../app/search-params.ts';
import { startMissing, startQueries } from '../../../app/route-data.ts';
import { savedFiltersQuery } from '../../../queries/saved-filters.ts';

export const Route = createFileRoute('/dashboard/clients/')({
  validateSearch: parseClientSearch,
  loaderDeps: ({ search }) => ({ q: search.q, status: search.status, health: search.health }),
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('clients'));
    startQueries(preload, clientsQuery(onlySet(deps)));
  },
  component: Clients,
});

function Clients() {
  const { q, status, health } = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ search: (before) => ({ ...before, ...part }) as ClientSearch, replace: true, resetScroll: false }),
    [navigate],
  ); // checked again by validateSearch
  return <ClientsPage filters={onlySet({ q, status, health })} onChange={change} />;
}
