import { createFileRoute } from '@tanstack/react-router';
import { loadQueries, startQueries } from '../../../app/route-data.ts';
import { BillingPage } from '../../../features/billing/billing-page.tsx';
import { billingQuery } from '../../../queries/billing.ts';
import { lastRequestQuery } from '../../../queries/plans.ts';
import { SkeletonBlock } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/billing/')({
  loader: ({ preload }) => {
    // Refused to a suspended account, which still sees what it owes.
    startQueries(preload, lastRequestQuery);
    return loadQueries(preload, billingQuery());
  },
  pendingComponent: () => <SkeletonBlock height={480} />,
  component: BillingPage,
});
