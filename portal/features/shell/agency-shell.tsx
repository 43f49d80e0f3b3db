import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  ChevronDown,
  ChevronRight,
  Code,
  Gauge,
  House,
  ClipboardList,
  Inbox,
  Layers,
  ListChecks,
  Plug,
  Settings,
  ShieldCheck,
  UserRound,
  Users,
  Workflow,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { navigationQuery, quotaQuery } from '../../queries/agency.ts';
import { inboxCountsQuery } from '../../queries/inbox.ts';
import { useLateBrand } from '../../shared/late-brand.ts';
import { ONE_CLIENT, useClientChoices, withFirst } from '../../shared/choices.ts';
import { useCurrentBreadcrumb } from '../../app/breadcrumb.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { ListPicker } from '../../ui/forms/select.tsx';
import { Crumbs, RailCount } from '../../ui/layout/shell.tsx';
import { WorkspaceShell, type NavEntry, type NavGroup } from './workspace-shell.tsx';
import '../../ui/layout/rail.css';
import { OPEN_WHILE_SUSPENDED } from '../../shared/open-while-suspended.ts';

const NAVIGATION: NavGroup[] = [
  {
    links: [
      { to: '/dashboard', icon: <House />, label: 'Overview', go: 'o', exact: true },
      { to: '/dashboard/clients', icon: <Users />, label: 'Clients', go: 'c', count: <NavigationCount of="clients" /> },
      { to: '/dashboard/agents', icon: <Workflow />, label: 'Agents', go: 'a', count: <NavigationCount of="agents" /> },
      { to: '/dashboard/requests', icon: <ClipboardList />, label: 'Requests', go: 'q', count: <NavigationCount of="requests" /> },
      { to: '/dashboard/inbox', icon: <Inbox />, label: 'Inbox', go: 'i', count: <UnreadCount /> },
    ],
  },
  {
    head: 'Automation',
    links: [
      { to: '/dashboard/runs', icon: <Activity />, label: 'Runs', go: 'r' },
      { to: '/dashboard/setup', icon: <ListChecks />, label: 'Setup', go: 'p' },
      { to: '/dashboard/catalog', icon: <Layers />, label: 'Catalog', go: 'l' },
      { to: '/dashboard/integrations', icon: <Plug />, label: 'Integrations', go: 'k' },
    ],
  },
  {
    head: 'Account',
    links: [
      { to: '/dashboard/usage', icon: <Gauge />, label: 'Usage & billing', go: 'u', also: '/dashboard/billing' },
      { to: '/dashboard/settings', icon: <Settings />, label: 'Settings', go: 's' },
      { to: '/dashboard/developer', icon: <Code />, label: 'Developer', go: 'd' },
    ],
  },
];

/** Pages reached from the bell and from tabs, for the palette. */
const SUBPAGES: readonly NavEntry[] = [
  { to: '/dashboard/alerts', icon: <Bell />, label: 'Alerts' },
  { to: '/dashboard/first-steps', icon: <ListChecks />, label: 'First steps' },
  { to: '/dashboard/billing', icon: <Gauge />, label: 'Billing › Plan and seats' },
  { to: '/dashboard/billing/plan', icon: <Gauge />, label: 'Billing › Change plan' },
  { to: '/dashboard/billing/invoices', icon: <Gauge />, label: 'Billing › Invoices and orders' },
  { to: '/dashboard/billing/details', icon: <Gauge />, label: 'Billing › Details' },
  { to: '/dashboard/settings/profile', icon: <Settings />, label: 'Settings › Profile' },
  { to: '/dashboard/settings/security', icon: <Settings />, label: 'Settings › Security' },
  { to: '/dashboard/settings/notifications', icon: <Settings />, label: 'Settings › Notifications' },
  { to: '/dashboard/settings/alerts', icon: <Settings />, label: 'Settings › Alert rules' },
  { to: '/dashboard/settings/team', icon: <Settings />, label: 'Settings › Team' },
  { to: '/dashboard/settings/sso', icon: <Settings />, label: 'Settings › Single sign-on (SSO)' },
  { to: '/dashboard/settings/domain', icon: <Settings />, label: 'Settings › Custom domain' },
  { to: '/dashboard/settings/chatbot', icon: <Settings />, label: 'Settings › Website chatbot' },
  { to: '/dashboard/settings/webhooks', icon: <Settings />, label: 'Settings › Webhooks' },
  { to: '/dashboard/settings/audit', icon: <Settings />, label: 'Settings › Audit log' },
  { to: '/dashboard/settings/account', icon: <Settings />, label: 'Settings › Account: export, deletion' },
];

const OPEN: Record<(typeof OPEN_WHILE_SUSPENDED.agency)[number], Omit<NavGroup['links'][number], 'to'>> = {
  '/dashboard/billing': { icon: <Gauge />, label: 'Billing', go: 'u' },
  '/dashboard/settings/profile': { icon: <UserRound />, label: 'Profile', go: 's' },
  '/dashboard/settings/security': { icon: <ShieldCheck />, label: 'Security' },
};
const SUSPENDED_NAVIGATION: NavGroup[] = [
  {
    links: [
      { to: '/dashboard', icon: <House />, label: 'Account status', go: 'o', exact: true },
      ...OPEN_WHILE_SUSPENDED.agency.map((to) => ({ to, ...OPEN[to] })),
    ],
  },
];

type Props = {
  bell: ReactNode;
  /** Shows only what answers while the account is suspended. */
  isSuspended: boolean;
  children: ReactNode;
};

/** Shell of the agency dashboard: rail, client switcher and credits. Shows the partner's logo and name, but the product's colours. */
export function AgencyShell({ bell, isSuspended, children }: Props) {
  const user = useUser();
  useEffect(() => {
    delete document.body.dataset.interface;
  }, []);
  // Behind a logo there is no colour to see.
  const brand = useLateBrand(user.partner.logoUrl === null ? user.partner.brandColor : null);
  const mark = (
    <>
      {/* The slim rail has room for an icon only. */}
      <span style={brand} className="md:max-rail:[&_img]:max-w-10">
        <AgencyMark name={user.partner.name} logoUrl={user.partner.logoUrl} logoAlt={user.partner.logoAlt} />
      </span>
      <span className="rail-label truncate">{user.partner.name}</span>
    </>
  );
  return (
    <WorkspaceShell
      audience="agency"
      mark={mark}
      groups={isSuspended ? SUSPENDED_NAVIGATION : NAVIGATION}
      subpages={isSuspended ? [] : SUBPAGES}
      foot={isSuspended ? undefined : <CreditsFoot />}
      breadcrumb={isSuspended ? <b className="truncate font-medium">{user.partner.name}</b> : <AgencyBreadcrumb />}
      hasRecords={!isSuspended}
      bell={
        <>
          <ModeratorBadge />
          {isSuspended ? null : bell}
        </>
      }
    >
      {children}
    </WorkspaceShell>
  );
}

/** The role of a moderator, with what it means and whom to ask. */
function ModeratorBadge() {
  const { role, partnerRole } = useUser();
  const refusal = useRefusal('agency.manage');
  if (role !== 'PARTNER' || partnerRole !== 'moderator') return null;
  return (
    <Tooltip side="bottom" text={`You can see everything and change what is your own. ${refusal ?? ''}`}>
      <span tabIndex={0} className="max-md:hidden">
        <Badge>Moderator</Badge>
      </span>
    </Tooltip>
  );
}

function NavigationCount({ of }: { of: 'clients' | 'agents' | 'requests' }) {
  const { data } = useQuery(navigationQuery);
  return <RailCount count={data?.[of]} />;
}

/** The number of unread conversations, of agencies whose plan has the chatbot. */
function UnreadCount() {
  const { client } = useSearch({ from: '/dashboard' });
  const { features } = useUser();
  const unread = useQuery({ ...inboxCountsQuery(client), enabled: features.chatbot }).data?.unread;
  return <RailCount count={unread && Math.min(unread, 100)} />;
}

function CreditsFoot() {
  const { data } = useQuery(quotaQuery);
  if (!data) return null;
  return (
    <Link to="/dashboard/usage" className="block">
      <span className="tabular-nums mb-1.5 flex justify-between text-xs">
        <span className="text-ink-3">Credits</span>
        <span>
          {formatNumber(data.used)}
          <span className="text-ink-3"> / {formatNumber(data.limit)}</span>
        </span>
      </span>
      <Meter used={data.used} limit={data.limit} small label="Credits used this month" />
    </Link>
  );
}

const LISTS = [
  { to: '/dashboard/runs', label: 'Runs' },
  { to: '/dashboard/agents', label: 'Agents' },
  { to: '/dashboard/clients', label: 'Clients' },
] as const;

/** Back link on detail pages, the client switcher elsewhere. */
function AgencyBreadcrumb() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const crumb = useCurrentBreadcrumb();
  const list = LISTS.find(({ to }) => path.startsWith(`${to}/`));
  if (!list) return <ClientSwitcher />;
  return (
    <Crumbs>
      <Link to={list.to} className="hover:text-ink">
        {list.label}
      </Link>
      <ChevronRight className="icon-small" aria-hidden />
      <b>{crumb ?? ''}</b>
    </Crumbs>
  );
}

const ALL = 'all';

/** Selects one client or all. The selection filters every page and is part of the URL. */
function ClientSwitcher() {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { client } = useSearch({ from: '/dashboard' });
  const clients = useClientChoices(client, { isAsked: isOpen || client !== undefined });
  const all = { value: ALL, label: 'All clients' };
  const chosen = client === undefined ? all.label : (clients.name ?? ONE_CLIENT);
  const pick = (value: string): void => {
    void navigate({ to: '.', search: (before) => ({ ...before, client: value === ALL ? undefined : value }) });
  };
  return (
    <ListPicker
      {...withFirst(all, clients)}
      value={client ?? ALL}
      label="Clients"
      onPick={pick}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="-ml-2 flex h-7.5 min-w-0 items-center gap-2 rounded-md px-2 font-medium hover:bg-hover"
          aria-label={`Client: ${chosen}`}
        >
          <Users className="icon text-ink-2" aria-hidden />
          <span className="truncate">{chosen}</span>
          <ChevronDown className="icon-small" aria-hidden />
        </button>
      }
    />
  );
}
