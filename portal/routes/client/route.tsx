import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SuspensionGate } from '../../features/account-lifecycle/suspension-gate.tsx';
import { Bell } from '../../features/notifications/bell.tsx';
import { ClientShell } from '../../features/shell/client-shell.tsx';
import { useSuspension } from '../../app/suspension.ts';
import { loadMessages, useMessages } from '../../app/messages.ts';
import { getSession } from '../../app/session.ts';
import { ChartLanguageContext } from '../../ui/charts/chart-language.ts';
import { awaitQueries } from '../../app/route-data.ts';
import { meQuery } from '../../queries/me.ts';
import { requireRole } from '../../app/require-role.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { Boot } from '../../ui/layout/boot.tsx';

export const Route = createFileRoute('/client')({
  beforeLoad: requireRole('CLIENT'),
  loader: async ({ preload }) => {
    const user = getSession()?.user;
    // Which tabs there are depends on the plan; without an answer there are the usual ones.
    await Promise.all([loadMessages(user?.locale ?? 'en', user?.timezone ?? 'UTC'), awaitQueries(preload, meQuery)]);
  },
  pendingComponent: () => <Boot face="client" />,
  component: () => (
    <AfterPaint placeholder={<Boot face="client" />}>
      <ClientPages />
    </AfterPaint>
  ),
});

const OPEN_WHILE_SUSPENDED = ['/client/settings'];

function ClientPages() {
  const suspension = useSuspension();
  const { t, tag } = useMessages();
  return (
    <ClientShell
      isSuspended={suspension !== undefined}
      bell={<Bell links={[{ href: '/client/settings', label: t('client.notificationSettings') }]} />}
    >
      <SuspensionGate suspension={suspension} open={OPEN_WHILE_SUSPENDED}>
        <ChartLanguageContext value={{ tag, asTable: t('client-home.as-table'), asChart: t('client-home.as-chart') }}>
          <Outlet />
        </ChartLanguageContext>
      </SuspensionGate>
    </ClientShell>
  );
}
