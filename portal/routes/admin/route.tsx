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
          places={[
            { href: '/admin/alerts', word: 'Alerts of all agencies' },
            { href: '/admin/account', word: 'Notification settings' },
          ]}
        />
      }
    >
      <Outlet />
    </StaffShell>
  ),
});
