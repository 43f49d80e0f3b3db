import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { type AlertSearch, parseAlertSearch } from '../../features/alerts/queries.ts';

export const Route = createFileRoute('/admin/alerts')({ validateSearch: parseAlertSearch, component: Alerts });

function Alerts() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <AlertsPage audience="staff" search={search} onChange={(next: AlertSearch) => void navigate({ search: next, replace: true })} />;
}
