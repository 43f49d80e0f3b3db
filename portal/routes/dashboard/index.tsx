import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/overview/overview-page.tsx';

export const Route = createFileRoute('/dashboard/')({ component: Overview });

function Overview() {
  return <OverviewPage clientId={Route.useSearch().client} />;
}
