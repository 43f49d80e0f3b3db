import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/overview/overview-page.tsx';
import { RequestButton } from '../../features/requests/request-dialog.tsx';

export const Route = createFileRoute('/dashboard/')({ component: Overview });

function Overview() {
  const { client } = Route.useSearch();
  return <OverviewPage clientId={client} actions={<RequestButton clientId={client} />} />;
}
