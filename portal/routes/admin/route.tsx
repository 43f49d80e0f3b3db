import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Bell } from '../../features/notifications/bell.tsx';
import { StaffShell } from '../../features/shell/staff-shell.tsx';
import { requireRole } from '../../app/require-role.ts';

export const Route = createFileRoute('/admin')({
  beforeLoad: requireRole('ADMIN'),
  component: () => (
    <StaffShell
      bell={
        <Bell
          links={[
            { href: '/admin/alerts', label: 'Alerts of all agencies' },
            { href: '/admin/account', label: 'Notification settings' },
          ]}
        />
      }
    >
      <Outlet />
    </StaffShell>
  ),
});
