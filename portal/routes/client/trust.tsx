import { createFileRoute } from '@tanstack/react-router';
import { TrustPage } from '../../features/client/trust-page.tsx';
import { loadQueries, startMissing } from '../../app/route-data.ts';
import { accessLogQuery, trustQuery } from '../../features/client/trust-queries.ts';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/client/trust')({
  loader: ({ preload }) => {
    startMissing(preload, accessLogQuery);
    return loadQueries(preload, trustQuery);
  },
  pendingComponent: () => <SkeletonRows rows={6} height={72} />,
  component: TrustPage,
});
