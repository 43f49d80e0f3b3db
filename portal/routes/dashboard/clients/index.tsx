import { createFileRoute } from '@tanstack/react-router';
import { ClientsPage } from '../../../features/clients/clients-page.tsx';
import { parseClientSearch, clientsQuery } from '../../../queries/clients.ts';
import { onlySet } from '../../../app/search-params.ts';
import { useSearchState } from '../../../app/search-state.ts';
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
  const [{ q, status, health }, change] = useSearchState(Route);
  return <ClientsPage filters={onlySet({ q, status, health })} onChange={change} />;
}
