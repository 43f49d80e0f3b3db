import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Bell } from '../../features/notifications/bell.tsx';
import { ClientShell } from '../../features/shell/client-shell.tsx';
import { requireRole } from '../../app/require-role.ts';

export const Route = createFileRoute('/client')({
  beforeLoad: requireRole('CLIENT'),
  component: () => (
    <ClientShell bell={<Bell links={[{ href: '/client/settings', label: 'Notification settings' }]} />}>
      <Outlet />
    </ClientShell>
  ),
});
