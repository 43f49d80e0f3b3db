import { createFileRoute, Link, Outlet, useLocation } from '@tanstack/react-router';
import { useUser } from '../../../app/session.ts';
import { useTitle } from '../../../ui/hooks/use-title.ts';
import { PageHeader, Tabs } from '../../../ui/layout/layout.tsx';

export const Route = createFileRoute('/dashboard/settings')({ component: Settings });

const PAGES = [
  { to: '/dashboard/settings', word: 'Agency', exact: true },
  { to: '/dashboard/settings/profile', word: 'Profile', isOpen: true },
  { to: '/dashboard/settings/security', word: 'Security', isOpen: true },
  { to: '/dashboard/settings/alerts', word: 'Alerts & notifications' },
  { to: '/dashboard/settings/team', word: 'Team' },
  { to: '/dashboard/settings/sso', word: 'SSO' },
  { to: '/dashboard/settings/domain', word: 'Domain' },
  { to: '/dashboard/settings/chatbot', word: 'Chatbot' },
  { to: '/dashboard/settings/webhooks', word: 'Webhooks' },
  { to: '/dashboard/settings/audit', word: 'Audit log' },
  { to: '/dashboard/settings/account', word: 'Account' },
] as const satisfies readonly {
  to: string;
  word: string;
  exact?: boolean;
  /** Answers while the account is suspended. */ isOpen?: boolean;
}[];

function Settings() {
  const user = useUser();
  const { pathname } = useLocation();
  useTitle(`${PAGES.find(({ to }) => to === pathname)?.word ?? 'Settings'}, settings`, user.partner.name);
  const pages = user.suspension ? PAGES.filter((page) => 'isOpen' in page) : PAGES;
  return (
    <>
      <PageHeader title="Settings" meta={user.partner.name} />
      <Tabs label="Settings">
        {pages.map((page) => (
          <Link key={page.to} to={page.to} activeOptions={{ exact: 'exact' in page, includeSearch: false }}>
            {page.word}
          </Link>
        ))}
      </Tabs>
      <Outlet />
    </>
  );
}
