import { createFileRoute, Link, type LinkProps, Outlet, useLocation } from '@tanstack/react-router';
import { useUser } from '../../../app/session.ts';
import { isOpenWhileSuspended } from '../../../shared/open-while-suspended.ts';
import { useTitle } from '../../../ui/hooks/use-title.ts';
import { PageHeader, Tabs } from '../../../ui/layout/layout.tsx';
import '../../../ui/controls/segmented.css';

export const Route = createFileRoute('/dashboard/settings')({ component: Settings });

type Page = { to: NonNullable<LinkProps['to']>; word: string; exact?: boolean };

/** The reader's own settings, apart from those of the agency. */
const GROUPS: readonly { word: string; pages: readonly [Page, ...Page[]] }[] = [
  {
    word: 'You',
    pages: [
      { to: '/dashboard/settings/profile', word: 'Profile' },
      { to: '/dashboard/settings/security', word: 'Security' },
      { to: '/dashboard/settings/notifications', word: 'Notifications' },
    ],
  },
  {
    word: 'Agency',
    pages: [
      { to: '/dashboard/settings', word: 'Name and brand', exact: true },
      { to: '/dashboard/settings/team', word: 'Team' },
      { to: '/dashboard/settings/alerts', word: 'Alerts' },
      { to: '/dashboard/settings/sso', word: 'SSO' },
      { to: '/dashboard/settings/domain', word: 'Domain' },
      { to: '/dashboard/settings/chatbot', word: 'Chatbot' },
      { to: '/dashboard/settings/webhooks', word: 'Webhooks' },
      { to: '/dashboard/settings/audit', word: 'Audit log' },
      { to: '/dashboard/settings/account', word: 'Account' },
    ],
  },
];

function Settings() {
  const user = useUser();
  const { pathname } = useLocation();
  const group = GROUPS.find(({ pages }) => pages.some(({ to }) => to === pathname)) ?? GROUPS[1];
  const page = group?.pages.find(({ to }) => to === pathname);
  useTitle(`${page?.word ?? 'Settings'}, settings`, user.partner.name);
  const isYours = group === GROUPS[0];
  const pages = group?.pages.filter(({ to }) => !user.suspension || isOpenWhileSuspended(to)) ?? [];
  return (
    <>
      <PageHeader
        title="Settings"
        meta={isYours ? user.fullName || user.email : user.partner.name}
        actions={
          user.suspension ? undefined : (
            <nav className="segmented" aria-label="Whose settings">
              {GROUPS.map(({ word, pages: [first] }) => (
                <Link key={word} to={first.to} activeOptions={{ exact: true }} aria-current={word === group?.word ? 'true' : undefined}>
                  {word}
                </Link>
              ))}
            </nav>
          )
        }
      />
      <Tabs label={isYours ? 'Your settings' : 'Settings of the agency'} key={group?.word}>
        {pages.map(({ to, word, exact = false }) => (
          <Link key={to} to={to} activeOptions={{ exact, includeSearch: false }}>
            {word}
          </Link>
        ))}
      </Tabs>
      <Outlet />
    </>
  );
}
