import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { parseAlertSearch } from '../../features/alerts/alert-search.ts';
import { alertsQuery } from '../../features/alerts/queries.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';

export const Route = createFileRoute('/admin/alerts')({
  validateSearch: parseAlertSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('alerts'));
    startQueries(preload, alertsQuery(deps, undefined));
  },
  component: Alerts,
});

function Alerts() {
  const [search, onChange] = useSearchState(Route);
  return <AlertsPage audience="staff" search={search} onChange={onChange} />;
}
