import { createFileRoute } from '@tanstack/react-router';
import { SetupPage } from '../../features/setup/setup-page.tsx';
import { clientIn } from '../../app/search-params.ts';
import { requirementCountsQuery, requirementsQuery } from '../../queries/credentials.ts';
import { setupQuery } from '../../queries/setup.ts';
import { awaitQueries, loadQueries } from '../../app/route-data.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/setup')({
  loader: async ({ preload, location }) => {
    const client = clientIn(location.search);
    await Promise.all([
      loadQueries(preload, setupQuery(client)),
      awaitQueries(preload, requirementCountsQuery(client), requirementsQuery(client)),
    ]);
  },
  pendingComponent: () => (
    <PageSkeleton title="Setup">
      <SkeletonRows rows={6} label="Loading the setup" />
    </PageSkeleton>
  ),
  component: Setup,
});

function Setup() {
  return <SetupPage client={Route.useSearch().client} />;
}
