import { createFileRoute } from '@tanstack/react-router';
import { AddClientButton } from '../../features/clients/create-client.tsx';
import { OverviewPage } from '../../features/overview/overview-page.tsx';
import { RequestButton } from '../../features/requests/request-dialog.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { summaryQuery } from '../../queries/agency.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/')({
  loader: ({ preload, location }) => loadQueries(preload, summaryQuery(clientIn(location.search))),
  pendingComponent: () => (
    <PageSkeleton title="Overview">
      <SkeletonBlock height={420} />
    </PageSkeleton>
  ),
  component: Overview,
});

function Overview() {
  const { client } = Route.useSearch();
  return (
    <OverviewPage
      clientId={client}
      actions={
        <>
          <RequestButton clientId={client} />
          <AddClientButton kind="default" />
        </>
      }
    />
  );
}
