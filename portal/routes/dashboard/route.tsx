import { createFileRoute, Outlet, retainSearchParams } from '@tanstack/react-router';
import { SuspensionGate } from '../../features/account-lifecycle/suspension-gate.tsx';
import { Bell } from '../../features/notifications/bell.tsx';
import { AgencyShell } from '../../features/shell/agency-shell.tsx';
import { useSuspension } from '../../app/suspension.ts';
import { loadMessages } from '../../app/messages.ts';
import { startFrame } from '../../app/route-data.ts';
import { clientIn, onlySet } from '../../app/search-params.ts';
import { getSession } from '../../app/session.ts';
import { navigationQuery, quotaQuery } from '../../queries/agency.ts';
import { inboxCountsQuery } from '../../queries/inbox.ts';
import { meQuery } from '../../queries/me.ts';
import { settleSandbox } from '../../app/current-user.ts';
import { requireRole } from '../../app/require-role.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { Boot } from '../../ui/layout/boot.tsx';

export const Route = createFileRoute('/dashboard')({
  validateSearch: (search: Record<string, unknown>): { client?: string | undefined } => onlySet({ client: clientIn(search) }),
  search: { middlewares: [retainSearchParams(['client'])] },
  // The loader comes with the router, before the page's: both read with one request.
  codeSplitGroupings: [['component'], ['errorComponent', 'notFoundComponent']],
  beforeLoad: requireRole('PARTNER'),
  loader: async ({ preload, location }) => {
    const user = getSession()?.user;
    const counts = user?.features.chatbot ? [inboxCountsQuery(clientIn(location.search))] : [];
    const begun = startFrame(preload, meQuery, navigationQuery, quotaQuery, ...counts);
    // The agency's face is in English.
    await Promise.all([loadMessages('en', user?.timezone ?? 'UTC'), settleSandbox(begun)]);
  },
  pendingComponent: () => <Boot face="work" />,
  component: () => (
    <AfterPaint placeholder={<Boot face="work" />}>
      <Dashboard />
    </AfterPaint>
  ),
});

function Dashboard() {
  const suspension = useSuspension();
  return (
    <AgencyShell
      isSuspended={suspension !== undefined}
      bell={
        <Bell
          links={[
            { href: '/dashboard/alerts', label: 'All alerts' },
            { href: '/dashboard/settings/notifications', label: 'Notification settings' },
          ]}
        />
      }
    >
      <SuspensionGate suspension={suspension}>
        <Outlet />
      </SuspensionGate>
    </AgencyShell>
  );
}
