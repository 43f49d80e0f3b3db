import { createFileRoute, redirect } from '@tanstack/react-router';
import { IntegrationsPage } from '../../features/integrations/integrations-page.tsx';
import { parseIntegrationSearch, credentialsQuery, requirementCountsQuery, requirementsQuery } from '../../queries/credentials.ts';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { clientNamesQuery } from '../../queries/clients.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/integrations')({
  validateSearch: parseIntegrationSearch,
  // The client whose key an address names comes before the one that was chosen, so that no key is saved for another.
  beforeLoad: ({ search: { client, for: owner, ...search } }) => {
    if (client !== undefined && owner !== undefined && client !== owner)
      throw redirect({ to: '/dashboard/integrations', search: { ...search, client: owner }, replace: true });
  },
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
