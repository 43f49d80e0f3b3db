import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  Building2,
  ChevronRight,
  Cpu,
  CreditCard,
  Gauge,
  House,
  Inbox,
  Layers,
  MailCheck,
  Newspaper,
  Receipt,
  Rows2,
  ScrollText,
  Sparkles,
  UserCog,
  UserX,
  Webhook,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useCurrentBreadcrumb } from '../../app/breadcrumb.ts';
import { overdueQuery } from '../../queries/billing.ts';
import { engineQuery } from '../../queries/engine.ts';
import { formatDuration } from '../../ui/text/format.ts';
import { useIsSandbox } from '../../app/current-user.ts';
import { staffNavigationQuery, workQueueQuery } from '../../queries/work-queue.ts';
import { PortalMark } from '../../ui/identity/marks.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Crumbs, RailCount } from '../../ui/layout/shell.tsx';
import { WorkspaceShell, type NavEntry, type NavGroup } from './workspace-shell.tsx';
import '../../ui/layout/rail.css';

/** Pages reached from the bell and the account menu, for the palette. */
const SUBPAGES: readonly NavEntry[] = [
  { to: '/admin/account-requests', icon: <UserX />, label: 'Account requests' },
  { to: '/admin/alerts', icon: <Bell />, label: 'Alerts of all agencies' },
  { to: '/admin/invoices', search: { show: 'overdue' }, icon: <Receipt />, label: 'Overdue invoices' },
  { to: '/admin/invoices', search: { show: 'draft' }, icon: <Receipt />, label: 'Draft invoices' },
  { to: '/admin/invoices', search: { show: 'paid' }, icon: <Receipt />, label: 'Paid invoices' },
  { to: '/admin/account', icon: <UserCog />, label: 'Your account' },
];

/** Shell for staff, with engine health in the footer. */
export function StaffShell({ bell, children }: { bell: ReactNode; children: ReactNode }) {
  useEffect(() => {
    delete document.body.dataset.interface;
  }, []);
  const isSandbox = useIsSandbox();
  const groups: NavGroup[] = [
    {
      links: [
        { to: '/admin/overview', icon: <House />, label: 'Overview', go: 'h' },
        { to: '/admin', icon: <Rows2 />, label: 'Work queue', go: 'w', exact: true, count: <QueueCount /> },
        { to: '/admin/partners', icon: <Building2 />, label: 'Partners', go: 'p', count: <NavigationCount of="partners" /> },
        {
          to: '/admin/requests',
          icon: <Inbox />,
          label: 'Requests',
          go: 'r',
          count: <QueueCount kind="agent_request" />,
        },
        { to: '/admin/users', icon: <UserCog />, label: 'Users', go: 'u' },
      ],
    },
    {
      head: 'Billing',
      links: [
        { to: '/admin/invoices', icon: <Receipt />, label: 'Invoices', go: 'i', count: <OverdueCount /> },
        { to: '/admin/usage', icon: <Gauge />, label: 'Usage', go: 'c' },
        { to: '/admin/plans', icon: <CreditCard />, label: 'Plans', go: 'n' },
        { to: '/admin/ai-rates', icon: <Sparkles />, label: 'AI rates', go: 'a' },
      ],
    },
    {
      head: 'Platform',
      links: [
        { to: '/admin/templates', icon: <Layers />, label: 'Templates', go: 't' },
        { to: '/admin/engine', icon: <Cpu />, label: 'Engine', go: 'e' },
        { to: '/admin/deliveries', icon: <Webhook />, label: 'Deliveries', go: 'd', count: <NavigationCount of="failingEndpoints" /> },
        { to: '/admin/audit-log', icon: <ScrollText />, label: 'Audit log', go: 'l' },
        { to: '/admin/newsletter', icon: <Newspaper />, label: 'Newsletter', go: 'm' },
        { to: '/admin/system', icon: <Activity />, label: 'System', go: 's' },
        // The outbox exists in the sandbox only.
        ...(isSandbox ? [{ to: '/admin/outbox', icon: <MailCheck />, label: 'Outbox', go: 'o' } as const] : []),
      ],
    },
  ];
  const mark = (
    <>
      <PortalMark />
      <span className="rail-label">{PRODUCT_NAME}</span>
      <small className="rail-label ml-auto rounded-sm border border-line px-1.5 text-2xs font-medium text-ink-3">Staff</small>
    </>
  );
  return (
    <WorkspaceShell
      audience="staff"
      mark={mark}
      groups={groups}
      subpages={SUBPAGES}
      foot={<EngineFoot />}
      breadcrumb={<StaffBreadcrumb pages={[...groups.flatMap((group) => group.links), ...SUBPAGES]} />}
      bell={bell}
      outbox={
        <Link to="/admin/outbox">
          <span className="md:hidden">View outbox</span>
          <span className="hidden md:inline">View outgoing messages</span>
        </Link>
      }
    >
      {children}
    </WorkspaceShell>
  );
}

/** What waits in the work queue, or what of one kind does. */
function QueueCount({ kind }: { kind?: 'agent_request' }) {
  const { data } = useQuery(workQueueQuery);
  return <RailCount count={kind ? data?.filter((item) => item.kind === kind).length : data?.length} />;
}

function OverdueCount() {
  return <RailCount count={useQuery(overdueQuery).data?.count} />;
}

function NavigationCount({ of }: { of: 'partners' | 'failingEndpoints' }) {
  return <RailCount count={useQuery(staffNavigationQuery).data?.[of]} />;
}

/** Breadcrumb; a partner's pages link back to the partner list. */
function StaffBreadcrumb({ pages }: { pages: readonly NavEntry[] }) {
  const crumb = useCurrentBreadcrumb();
  const path = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') });
  if (!path.startsWith('/admin/partners/') || !crumb)
    return <b className="truncate font-medium">{pages.find((page) => page.to === path)?.label ?? 'Staff'}</b>;
  return (
    <Crumbs>
      <Link to="/admin/partners" className="hover:text-ink">
        Partners
      </Link>
      <ChevronRight className="icon-small" aria-hidden />
      <b>{crumb}</b>
    </Crumbs>
  );
}

const ENGINE: Record<'ok' | 'degraded' | 'down' | 'disabled', [MarkKind, string]> = {
  ok: ['ok', 'Engine healthy'],
  degraded: ['warn', 'Engine degraded'],
  down: ['bad', 'Engine down'],
  disabled: ['pause', 'Engine off'],
};

function EngineFoot() {
  const { data, isError } = useQuery(engineQuery);
  if (!data && !isError) return null;
  const [mark, label] = data ? ENGINE[data.health] : (['warn', 'Engine unknown'] as const);
  return (
    <Link to="/admin/engine" className="tabular-nums -mx-2 flex items-center gap-2 rounded-md px-2 py-1 text-xs hover:bg-hover">
      <Mark kind={mark} />
      {label}
      {data?.responseMs === null || data === undefined ? null : (
        <span className="ml-auto text-ink-3">{formatDuration(data.responseMs)}</span>
      )}
    </Link>
  );
}
