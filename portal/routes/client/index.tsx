import { createFileRoute } from '@tanstack/react-router';
import { ClientHomePage } from '../../features/client/home-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { homeQuery } from '../../features/client/queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/')({
  loader: ({ preload }) => loadQueries(preload, homeQuery),
  pendingComponent: () => <SkeletonRows rows={16} height={44} />,
  component: ClientHomePage,
});
