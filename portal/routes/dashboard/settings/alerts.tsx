import { createFileRoute } from '@tanstack/react-router';
import { AlertRules } from '../../../features/alerts/alert-rules.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { alertRulesQuery } from '../../../features/alerts/queries.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/alerts')({
  loader: ({ preload }) => loadQueries(preload, alertRulesQuery),
  pendingComponent: () => <SkeletonRows rows={4} height={44} />,
  component: AlertRules,
});
