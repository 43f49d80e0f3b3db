import { createFileRoute } from '@tanstack/react-router';
import { loadQueries, startQueries } from '../../../app/route-data.ts';
import { PlanPage } from '../../../features/billing/plan-page.tsx';
import { billingQuery } from '../../../queries/billing.ts';
import { lastRequestQuery, plansQuery } from '../../../queries/plans.ts';
import { SkeletonBlock } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/billing/plan')({
  loader: ({ preload }) => {
    startQueries(preload, lastRequestQuery);
    return loadQueries(preload, billingQuery(), plansQuery);
  },
  pendingComponent: () => <SkeletonBlock height={480} />,
  component: PlanPage,
});
