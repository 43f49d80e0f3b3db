import { createFileRoute, Link } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { type AlertSearch, parseAlertSearch } from '../../features/alerts/queries.ts';
import { buttonClass } from '../../ui/controls/button.tsx';

export const Route = createFileRoute('/dashboard/alerts')({ validateSearch: parseAlertSearch, component: Alerts });

function Alerts() {
  const { client, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (next: AlertSearch): void => void navigate({ search: { ...(client ? { client } : {}), ...next }, replace: true });
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
