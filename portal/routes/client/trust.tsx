import { createFileRoute } from '@tanstack/react-router';
import { TrustPage } from '../../features/client/trust-page.tsx';
import { loadQueries } from '../../app/route-data.ts';
import { trustQuery } from '../../features/client/trust-queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/trust')({
  loader: ({ preload }) => loadQueries(preload, trustQuery),
  pendingComponent: () => <SkeletonRows rows={6} height={72} />,
  component: TrustPage,
});
