import { createFileRoute } from '@tanstack/react-router';
import { BusinessPage } from '../../features/client/business-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { businessQuery } from '../../features/client/queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/business')({
  loader: ({ preload }) => loadQueries(preload, businessQuery),
  pendingComponent: () => <SkeletonRows rows={10} height={92} />,
  component: BusinessPage,
});
