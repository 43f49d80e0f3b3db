import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AddClientButton } from '../../features/clients/add-client.tsx';
import { OverviewPage } from '../../features/overview/overview-page.tsx';
import { RequestButton, RequestSampleButton } from '../../features/requests/request-button.tsx';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { clientsActivityQuery, summaryQuery } from '../../queries/agency.ts';
import { openRequestsQuery } from '../../queries/agent-requests.ts';
import { clientIn } from '../../app/search-params.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

/** Only a new agency needs it. */
const SendToPhonePanel = lazyRouteComponent(() => import('../../features/phone/send-to-phone.tsx'), 'SendToPhonePanel');

export const Route = createFileRoute('/dashboard/')({
  loader: ({ preload, location }) => {
    const client = clientIn(location.search);
    startMissing(preload, openRequestsQuery(client), ...(client === undefined ? [clientsActivityQuery('runs')] : []));
    return loadQueries(preload, summaryQuery(client));
  },
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
      request={(sample) => <RequestSampleButton sample={sample} />}
      phone={(agent) => <SendToPhonePanel agent={agent} />}
    />
  );
}
