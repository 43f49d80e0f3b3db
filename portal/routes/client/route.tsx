import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router';
import { SuspensionGate } from '../../features/account-lifecycle/suspension-gate.tsx';
import { Bell } from '../../features/notifications/bell.tsx';
import { ClientShell } from '../../features/shell/client-shell.tsx';
import { useSuspension } from '../../app/suspension.ts';
import { loadMessages, useMessages } from '../../app/messages.ts';
import { getSession } from '../../app/session.ts';
import { ChartLanguageContext } from '../../ui/charts/chart-language.ts';
import { installQuery, ownClientQuery } from '../../features/shell/queries.ts';
import { startFrame } from '../../app/route-data.ts';
import { inboxCountsQuery } from '../../queries/inbox.ts';
import { meQuery } from '../../queries/me.ts';
import { settleSandbox } from '../../app/current-user.ts';
import { requireRole } from '../../app/require-role.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { Boot } from '../../ui/layout/boot.tsx';

export const Route = createFileRoute('/client')({
  // The loader comes with the router, before the page's: both read with one request.
  codeSplitGroupings: [['component'], ['errorComponent', 'notFoundComponent']],
  beforeLoad: requireRole('CLIENT'),
  loader: async ({ preload }) => {
    const user = getSession()?.user;
    const begun = startFrame(
      preload,
      meQuery,
      ownClientQuery,
      installQuery,
      ...(user?.features.chatbot ? [inboxCountsQuery(undefined)] : []),
    );
    await Promise.all([loadMessages(user?.locale ?? 'en', user?.timezone ?? 'UTC'), settleSandbox(begun)]);
  },
  pendingComponent: () => <Boot face="client" />,
  component: () => (
    <AfterPaint placeholder={<Boot face="client" />}>
      <ClientPages />
    </AfterPaint>
  ),
});

function ClientPages() {
  const suspension = useSuspension();
  const { t, tag } = useMessages();
  // Mails lead there to an export, a decision or the way back, which the page of a suspended account has.
  const isBusiness = useRouterState({ select: ({ location: { search } }) => search.part === 'business' });
  return (
    <ClientShell
      isSuspended={suspension !== undefined}
      bell={<Bell links={[{ href: '/client/settings', label: t('client.notificationSettings') }]} />}
    >
      <SuspensionGate suspension={suspension} isClosed={isBusiness}>
        <ChartLanguageContext value={{ tag, asTable: t('client-home.as-table'), asChart: t('client-home.as-chart') }}>
          <Outlet />
        </ChartLanguageContext>
      </SuspensionGate>
    </ClientShell>
  );
}
