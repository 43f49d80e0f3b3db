import { createFileRoute } from '@tanstack/react-router';
import { NotificationPreferences } from '../../../features/notifications/preferences.tsx';
import { loadQueries } from '../../../app/route-data.ts';
import { preferencesQuery } from '../../../features/notifications/queries.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/settings/notifications')({
  loader: ({ preload }) => loadQueries(preload, preferencesQuery),
  pendingComponent: () => <SkeletonRows rows={4} height={60} />,
  component: () => <NotificationPreferences />,
});
