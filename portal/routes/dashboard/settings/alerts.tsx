import { createFileRoute } from '@tanstack/react-router';
import { AlertRules } from '../../../features/alerts/alert-rules.tsx';
import { NotificationPreferences } from '../../../features/notifications/preferences.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { alertRulesQuery } from '../../../features/alerts/queries.ts';
import { preferencesQuery } from '../../../features/notifications/queries.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/alerts')({
  loader: ({ preload }) => loadQueries(preload, alertRulesQuery, preferencesQuery),
  pendingComponent: () => <SkeletonRows rows={6} height={95} />,
  component: AlertSettings,
});

function AlertSettings() {
  return (
    <>
      <AlertRules />
      <NotificationPreferences />
    </>
  );
}
