import { createFileRoute } from '@tanstack/react-router';
import { ClientAgentsPage } from '../../../features/client/agents-page.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { agentsQuery, homeQuery } from '../../../features/client/queries.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/agents/')({
  loader: ({ preload }) => loadQueries(preload, agentsQuery, homeQuery),
  pendingComponent: () => <SkeletonRows rows={3} height={96} />,
  component: ClientAgentsPage,
});
