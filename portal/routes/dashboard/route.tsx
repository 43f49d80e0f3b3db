import { createFileRoute, Outlet, retainSearchParams } from '@tanstack/react-router';
import { Bell } from '../../features/notifications/bell.tsx';
import { AgencyShell } from '../../features/shell/agency-shell.tsx';
import { requireRole } from '../../app/require-role.ts';

const UUID = /^[0-9a-f-]{36}$/i;

export const Route = createFileRoute('/dashboard')({
  validateSearch: (search: Record<string, unknown>): { client?: string | undefined } =>
    typeof search.client === 'string' && UUID.test(search.client) ? { client: search.client } : {},
  search: { middlewares: [retainSearchParams(['client'])] },
  beforeLoad: requireRole('PARTNER'),
  component: () => (
    <AgencyShell
      bell={
        <Bell
          links={[
            { href: '/dashboard/alerts', label: 'All alerts' },
            { href: '/dashboard/settings/alerts', label: 'Notification settings' },
          ]}
        />
      }
    >
      <Outlet />
    </AgencyShell>
  ),
});
