import { createFileRoute } from '@tanstack/react-router';
import { IntegrationsPage } from '../../features/integrations/integrations-page.tsx';
import { parseIntegrationSearch, credentialsQuery, requirementCountsQuery, requirementsQuery } from '../../queries/credentials.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { clientNamesQuery } from '../../queries/clients.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/integrations')({
  validateSearch: parseIntegrationSearch,
  loader: ({ preload, location }) => {
    startMissing(preload, clientNamesQuery(undefined));
    const client = clientIn(location.search);
    return loadQueries(preload, credentialsQuery(client), requirementCountsQuery(client), requirementsQuery(client));
  },
  pendingComponent: () => (
    <PageSkeleton title="Integrations">
      <SkeletonRows rows={7} height={50} label="Loading services" />
    </PageSkeleton>
  ),
  component: Integrations,
});

function Integrations() {
  const { key, ...search } = Route.useSearch();
  return <IntegrationsPage {...search} keyId={key} client={search.client} />;
}
