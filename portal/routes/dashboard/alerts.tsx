import { createFileRoute, Link } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { type AlertSearch, parseAlertSearch } from '../../features/alerts/alert-search.ts';
import { alertsQuery } from '../../features/alerts/queries.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { savedFiltersQuery } from '../../queries/saved-filters.ts';

export const Route = createFileRoute('/dashboard/alerts')({
  validateSearch: parseAlertSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    startMissing(preload, savedFiltersQuery('alerts'));
    startQueries(preload, alertsQuery(parseAlertSearch(deps), deps.client));
  },
  component: Alerts,
});

function Alerts() {
  const { client, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (next: AlertSearch): void =>
    void navigate({ search: { ...(client ? { client } : {}), ...next }, replace: true, resetScroll: false });
  return (
    <AlertsPage
      audience="agency"
      search={search}
      clientId={client}
      onChange={change}
      actions={
        <Link to="/dashboard/settings/alerts" className={buttonClass()}>
          Rules
        </Link>
      }
    />
  );
}
