import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { type AlertSearch, parseAlertSearch } from '../../features/alerts/alert-search.ts';
import { alertsQuery } from '../../features/alerts/queries.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
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
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AlertsPage
      audience="staff"
      search={search}
      onChange={(next: AlertSearch) => void navigate({ search: next, replace: true, resetScroll: false })}
    />
  );
}
