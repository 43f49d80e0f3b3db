import { createFileRoute } from '@tanstack/react-router';
import { loadQueries } from '../../../app/route-data.ts';
import { DetailsPage } from '../../../features/billing/details-page.tsx';
import { billingQuery } from '../../../queries/billing.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/billing/details')({
  loader: ({ preload }) => loadQueries(preload, billingQuery()),
  pendingComponent: () => <SkeletonRows />,
  component: DetailsPage,
});
