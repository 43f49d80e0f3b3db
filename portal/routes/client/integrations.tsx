import { createFileRoute } from '@tanstack/react-router';
import { ServicesPage } from '../../features/client/services-page.tsx';
import { onlySet, textParam } from '../../app/search-params.ts';

export const Route = createFileRoute('/client/integrations')({
  validateSearch: (search: Record<string, unknown>): { service?: string | undefined } => onlySet({ service: textParam(search.service) }),
  component: Integrations,
});

function Integrations() {
  const navigate = Route.useNavigate();
  return (
    <ServicesPage
      service={Route.useSearch().service}
      onService={(service) => void navigate({ search: onlySet({ service }), replace: true })}
    />
  );
}
