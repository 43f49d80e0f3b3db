import { createFileRoute } from '@tanstack/react-router';
import { AlertRules } from '../../../features/alerts/alert-rules.tsx';
import { NotificationPreferences } from '../../../features/notifications/preferences.tsx';

export const Route = createFileRoute('/dashboard/settings/alerts')({ component: AlertSettings });

function AlertSettings() {
  return (
    <>
      <AlertRules />
      <NotificationPreferences />
    </>
  );
}
