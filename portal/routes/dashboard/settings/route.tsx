import { createFileRoute, Link, Outlet } from '@tanstack/react-router';
import { useUser } from '../../../app/session.ts';
import { useTitle } from '../../../ui/hooks/use-title.ts';
import { PageHeader, Tabs } from '../../../ui/layout/layout.tsx';

export const Route = createFileRoute('/dashboard/settings')({ component: Settings });

function Settings() {
  const user = useUser();
  useTitle('Settings', user.partner.name);
  return (
    <>
      <PageHeader title="Settings" meta={user.partner.name} />
      <Tabs label="Settings">
        <Link to="/dashboard/settings" activeOptions={{ exact: true, includeSearch: false }}>
          Agency
        </Link>
        <Link to="/dashboard/settings/profile" activeOptions={{ includeSearch: false }}>
          Profile
        </Link>
        <Link to="/dashboard/settings/security" activeOptions={{ includeSearch: false }}>
          Security
        </Link>
        <Link to="/dashboard/settings/alerts" activeOptions={{ includeSearch: false }}>
          Alerts & notifications
        </Link>
        <Link to="/dashboard/settings/team" activeOptions={{ includeSearch: false }}>
          Team
        </Link>
        <Link to="/dashboard/settings/sso" activeOptions={{ includeSearch: false }}>
          SSO
        </Link>
        <Link to="/dashboard/settings/webhooks" activeOptions={{ includeSearch: false }}>
          Webhooks
        </Link>
        <Link to="/dashboard/settings/audit" activeOptions={{ includeSearch: false }}>
          Audit log
        </Link>
      </Tabs>
      <Outlet />
    </>
  );
}
