import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate, useRouterState } from '@tanstack/react-router';
import { Activity, Ellipsis, House, Lightbulb, Plug, Settings, Store, Workflow } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useAgencyBrand } from '../../shared/brand.ts';
import { useIsSandbox } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { SkipLink } from '../../ui/layout/shell.tsx';
import { useBars } from './bars.tsx';
import { UserMenu } from './user-menu.tsx';
import { ownClientQuery } from './queries.ts';
import './client-shell.css';

type Tab = { to: NonNullable<LinkProps['to']>; label: string; icon: ReactNode; exact?: boolean };

/** The first four tabs fit the phone's bottom bar; the others are under More. */
const TABS: readonly Tab[] = [
  { to: '/client', label: 'Home', icon: <House />, exact: true },
  { to: '/client/activity', label: 'Activity', icon: <Activity /> },
  { to: '/client/agents', label: 'Agents', icon: <Workflow /> },
  { to: '/client/business', label: 'Business', icon: <Store /> },
];
const MORE: readonly Tab[] = [
  { to: '/client/suggestions', label: 'Suggestions', icon: <Lightbulb /> },
  { to: '/client/integrations', label: 'Integrations', icon: <Plug /> },
  { to: '/client/settings', label: 'Settings', icon: <Settings /> },
];

/** Shell of the client portal with the partner's branding; never names the platform. Top tabs, or a bottom bar on phones. */
export function ClientShell({ bell, children }: { bell: ReactNode; children: ReactNode }) {
  const user = useUser();
  useAgencyBrand(user.partner);
  const { data } = useQuery(ownClientQuery);
  const { bars, barsHeight } = useBars(useIsSandbox());
  useEffect(() => {
    document.body.style.setProperty('--bars', `${barsHeight}px`);
  }, [barsHeight]);
  const supportEmail = data?.partner.supportEmail;
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {bars}
      <header className="sticky top-[var(--bars,0px)] z-20 border-b border-line bg-surface">
        <div className="mx-auto flex h-[52px] max-w-[1040px] items-center gap-2.5 px-4 md:h-14 md:px-5">
          <AgencyMark name={user.partner.name} logoUrl={user.partner.logoUrl} size={26} />
          <b className="truncate">{user.partner.name}</b>
          <nav aria-label="Main" className="client-shell-tabs ml-7 hidden gap-[22px] self-stretch md:flex">
            {[...TABS, ...MORE].map((tab) => (
              <Link key={tab.to} to={tab.to} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
                {tab.label}
              </Link>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-1.5">
            {bell}
            <UserMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="client-shell-page w-full flex-1 outline-0">
        {children}
      </main>
      <footer className="mx-auto flex w-full max-w-[1000px] flex-col gap-x-4 border-t border-line px-4 pt-4 pb-24 text-sm text-ink-3 md:flex-row md:px-0 md:pb-8">
        <span>Provided by {user.partner.name}</span>
        {supportEmail ? <a href={`mailto:${supportEmail}`}>{supportEmail}</a> : null}
      </footer>
      <nav
        aria-label="Main"
        className="client-shell-bottom-bar fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {TABS.map((tab) => (
          <Link key={tab.to} to={tab.to} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}>
            {tab.icon}
            <span>{tab.label}</span>
          </Link>
        ))}
        <MoreTabs />
      </nav>
    </div>
  );
}

function MoreTabs() {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isHere = MORE.some((tab) => path.startsWith(tab.to));
  const trigger = (
    <button type="button" aria-current={isHere ? 'page' : undefined}>
      <Ellipsis aria-hidden />
      <span>More</span>
    </button>
  );
  return (
    <Menu
      trigger={trigger}
      items={MORE.map((tab) => ({ label: tab.label, icon: tab.icon, onPick: () => void navigate({ to: tab.to }) }))}
    />
  );
}
