import { createFileRoute, Outlet } from '@tanstack/react-router';
import { StaffSecondStep } from '../../features/account/staff-second-step.tsx';
import { Bell } from '../../features/notifications/bell.tsx';
import { StaffShell } from '../../features/shell/staff-shell.tsx';
import { loadMessages } from '../../app/messages.ts';
import { startFrame } from '../../app/route-data.ts';
import { getSession } from '../../app/session.ts';
import { overdueQuery } from '../../queries/billing.ts';
import { engineQuery } from '../../queries/engine.ts';
import { meQuery } from '../../queries/me.ts';
import { staffNavigationQuery, workQueueQuery } from '../../queries/work-queue.ts';
import { settleSandbox } from '../../app/current-user.ts';
import { requireRole } from '../../app/require-role.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { Boot } from '../../ui/layout/boot.tsx';

export const Route = createFileRoute('/admin')({
  // The loader comes with the router, before the page's: both read with one request.
  codeSplitGroupings: [['component'], ['errorComponent', 'notFoundComponent']],
  beforeLoad: requireRole('ADMIN'),
  loader: async ({ preload }) => {
    const begun = startFrame(preload, meQuery, workQueueQuery, staffNavigationQuery, overdueQuery, engineQuery);
    // Staff read English.
    await Promise.all([loadMessages('en', getSession()?.user.timezone ?? 'UTC'), settleSandbox(begun)]);
  },
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
        <StaffSecondStep>
          <Outlet />
        </StaffSecondStep>
      </StaffShell>
    </AfterPaint>
  ),
});
