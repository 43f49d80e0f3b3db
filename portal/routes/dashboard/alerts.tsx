import { createFileRoute, Link } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { parseAlertSearch } from '../../features/alerts/alert-search.ts';
import { alertsQuery } from '../../features/alerts/queries.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { useSearchState } from '../../app/search-state.ts';
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
  const [{ client, ...search }, onChange] = useSearchState(Route);
  return (
    <AlertsPage
      audience="agency"
      search={search}
      clientId={client}
      onChange={onChange}
      actions={
        <Link to="/dashboard/settings/alerts" className={buttonClass()}>
          Rules
        </Link>
      }
    />
  );
}
