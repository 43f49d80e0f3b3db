import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Bell } from '../../features/notifications/bell.tsx';
import { StaffShell } from '../../features/shell/staff-shell.tsx';
import { loadMessages } from '../../app/messages.ts';
import { getSession } from '../../app/session.ts';
import { requireRole } from '../../app/require-role.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { Boot } from '../../ui/layout/boot.tsx';

export const Route = createFileRoute('/admin')({
  beforeLoad: requireRole('ADMIN'),
  // Staff read English.
  loader: () => loadMessages('en', getSession()?.user.timezone ?? 'UTC'),
  pendingComponent: () => <Boot face="work" />,
  component: () => (
    <AfterPaint placeholder={<Boot face="work" />}>
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
    </AfterPaint>
  ),
});
