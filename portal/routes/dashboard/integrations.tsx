import { createFileRoute } from '@tanstack/react-router';
import { IntegrationsPage } from '../../features/integrations/integrations-page.tsx';
import { parseIntegrationSearch } from '../../queries/credentials.ts';

export const Route = createFileRoute('/dashboard/integrations')({ validateSearch: parseIntegrationSearch, component: Integrations });

function Integrations() {
  return <IntegrationsPage {...Route.useSearch()} client={Route.useSearch().client} />;
}
