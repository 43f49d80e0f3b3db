import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  Activity,
  ChartNoAxesColumn,
  Ellipsis,
  House,
  Inbox,
  Lightbulb,
  MessageSquareOff,
  Plug,
  Settings,
  ShieldCheck,
  Store,
  Users,
  Workflow,
} from 'lucide-react';
import { type ReactNode } from 'react';
import { useAgencyIcon } from '../../shared/agency-icon.ts';
import { useAgencyBrand } from '../../shared/brand.ts';
import { useUser } from '../../app/session.ts';
import { inboxCountsQuery } from '../../queries/inbox.ts';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { BootPage } from '../../ui/layout/boot.tsx';
import { SkipLink } from '../../ui/layout/skip-link.tsx';
import { useMediaQuery, WIDER_THAN_PHONE, WIDER_THAN_TABLET } from '../../ui/hooks/use-media-query.ts';
import { Bars } from './bars.tsx';
import { UserMenu } from './user-menu.tsx';
import { ownClientQuery } from './queries.ts';
import { useInstallLinks } from './use-install-links.ts';
import './client-shell.css';
import { OPEN_WHILE_SUSPENDED } from '../../shared/open-while-suspended.ts';

type Tab = { to: NonNullable<LinkProps['to']>; label: MessageKey; icon: ReactNode; exact?: boolean; count?: ReactNode };

/** The first four tabs fit the phone's bottom bar and a tablet's top bar; the others are under More. */
const TABS: readonly Tab[] = [
  { to: '/client', label: 'client.home', icon: <House />, exact: true },
  { to: '/client/activity', label: 'client.activity', icon: <Activity /> },
  { to: '/client/agents', label: 'client.agents', icon: <Workflow /> },
  { to: '/client/business', label: 'client.business', icon: <Store /> },
];
/** Second tab of clients whose plan includes the chatbot, because visitors wait for an answer. */
const INBOX: Tab = { to: '/client/inbox', label: 'client.inbox', icon: <Inbox />, count: <UnreadCount /> };
const MORE: readonly Tab[] = [
  { to: '/client/report', label: 'report-page.nav', icon: <ChartNoAxesColumn /> },
  { to: '/client/suggestions', label: 'client.suggestions', icon: <Lightbulb /> },
  { to: '/client/integrations', label: 'client.integrations', icon: <Plug /> },
  { to: '/client/settings', label: 'client.settings', icon: <Settings /> },
];
/** Rarely used pages: in the footer, on a phone under More. */
const ASIDE: readonly Tab[] = [
  { to: '/client/trust', label: 'trust.title', icon: <ShieldCheck /> },
  { to: '/client/stop-list', label: 'stop-list.title', icon: <MessageSquareOff /> },
  { to: '/client/people', label: 'client-people.title', icon: <Users /> },
];

const OPEN: Record<(typeof OPEN_WHILE_SUSPENDED.client)[number], Omit<Tab, 'to'>> = {
  '/client/settings': { label: 'client.settings', icon: <Settings /> },
};
const SUSPENDED_TABS: readonly Tab[] = [
  { to: '/client', label: 'client.account', icon: <House />, exact: true },
  ...OPEN_WHILE_SUSPENDED.client.map((to) => ({ to, ...OPEN[to] })),
];

/**
 * Shell of the client portal with the partner's branding; never names the platform. Top tabs, or a bottom bar on phones. Loaded data is read by the parts
 * that show it, so that the shell is rendered once.
 */
export function ClientShell({ bell, isSuspended, children }: { bell: ReactNode; isSuspended: boolean; children: ReactNode }) {
  const { t } = useMessages();
  const user = useUser();
  const hasTabs = useMediaQuery(WIDER_THAN_PHONE);
  useAgencyBrand(user.partner);
  useAgencyIcon(user.partner);
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {isSuspended ? null : <InstallLinks />}
      <Bars />
      <header className="sticky top-[var(--bars,0px)] z-20 border-b border-line bg-surface">
        <div className="mx-auto flex h-13 max-w-260 items-center gap-2.5 px-4 md:h-14 md:px-5">
          <AgencyMark name={user.partner.name} logoUrl={user.partner.logoUrl} logoAlt={user.partner.logoAlt} size={26} />
          <b className="min-w-16 truncate">{user.partner.name}</b>
          {hasTabs ? <TopTabs isSuspended={isSuspended} /> : null}
          <div className="ml-auto flex items-center gap-1.5">
            {isSuspended ? null : bell}
            <UserMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="client-shell-page w-full flex-1 outline-0">
        <AfterPaint placeholder={<BootPage />}>{children}</AfterPaint>
      </main>
      <footer className="flex flex-col gap-x-4 border-t border-line pt-4 pb-24 text-sm text-ink-3 md:flex-row md:items-center md:pb-8">
        <span>{t('client.providedBy', { agency: user.partner.name })}</span>
        {isSuspended ? null : (
          <>
            <span className="flex gap-4 md:ml-auto">
              {ASIDE.map((tab) => (
                <Link key={tab.to} to={tab.to} className="link inline-flex min-h-6 items-center max-md:min-h-11">
                  {t(tab.label)}
                </Link>
              ))}
            </span>
            <SupportAddress />
          </>
        )}
      </footer>
      {hasTabs ? null : <BottomBar isSuspended={isSuspended} />}
    </div>
  );
}

function InstallLinks() {
  useInstallLinks();
  return null;
}

function SupportAddress() {
  const { data } = useQuery(ownClientQuery);
  const address = data?.partner.supportEmail;
  if (!address) return null;
  return (
    <a href={`mailto:${address}`} className="inline-flex min-h-6 items-center self-start max-md:min-h-11 md:self-auto">
      {address}
    </a>
  );
}

function TopTabs({ isSuspended }: { isSuspended: boolean }) {
  const { t } = useMessages();
  const { tabs, more } = useTabs(isSuspended);
  const hasRoom = useMediaQuery(WIDER_THAN_TABLET);
  return (
    <nav aria-label={t('client.main')} className="client-shell-tabs ml-4 flex gap-4 self-stretch">
      {(hasRoom ? [...tabs, ...more] : tabs).map((tab) => (
        <Link key={tab.to} to={tab.to} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
          {t(tab.label)}
          {tab.count}
        </Link>
      ))}
      {hasRoom || more.length === 0 ? null : <MoreTabs tabs={more} />}
    </nav>
  );
}

function BottomBar({ isSuspended }: { isSuspended: boolean }) {
  const { t } = useMessages();
  const { tabs, more } = useTabs(isSuspended);
  return (
    <nav
      aria-label={t('client.main')}
      className="client-shell-bottom-bar fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
          {tab.icon}
          <span>{t(tab.label)}</span>
          {tab.count}
        </Link>
      ))}
      {more.length > 0 ? <MoreTabs tabs={[...more, ...ASIDE]} /> : null}
    </nav>
  );
}

const PHONE_TABS = 4;

/** The tabs; the inbox is one where the plan has the chatbot. */
function useTabs(isSuspended: boolean): { tabs: readonly Tab[]; more: readonly Tab[] } {
  const hasChatbot = useUser().features.chatbot && !isSuspended;
  if (isSuspended) return { tabs: SUSPENDED_TABS, more: [] };
  if (!hasChatbot) return { tabs: TABS, more: MORE };
  const [home, ...rest] = TABS;
  const all = [...(home ? [home] : []), INBOX, ...rest, ...MORE];
  return { tabs: all.slice(0, PHONE_TABS), more: all.slice(PHONE_TABS) };
}

/** The number of unread conversations. */
function UnreadCount() {
  const { t } = useMessages();
  const unread = useQuery(inboxCountsQuery(undefined)).data?.unread;
  return unread ? (
    <span className="client-shell-count tabular-nums">
      {Math.min(unread, 100)}
      <span className="sr-only"> {t('client.unread')}</span>
    </span>
  ) : null;
}

function MoreTabs({ tabs }: { tabs: readonly Tab[] }) {
  const { t } = useMessages();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isHere = tabs.some((tab) => path.startsWith(tab.to));
  const trigger = (
    <button type="button" aria-current={isHere ? 'page' : undefined}>
      <Ellipsis aria-hidden />
      <span>{t('client.more')}</span>
    </button>
  );
  return (
    <Menu
      trigger={trigger}
      items={tabs.map((tab) => ({ label: t(tab.label), icon: tab.icon, onPick: () => void navigate({ to: tab.to }) }))}
    />
  );
}
