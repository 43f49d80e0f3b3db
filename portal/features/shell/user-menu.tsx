import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, ShieldCheck } from 'lucide-react';
import { api } from '../../app/api.ts';
import { initials } from '../../ui/text/format.ts';
import { leaveBy } from '../../app/log-out.ts';
import { leaveFor, useUser } from '../../app/session.ts';
import { Avatar } from '../../ui/identity/marks.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';

/** Who is signed in, the keys, and the way out. */
export function UserMenu({ onKeys }: { onKeys?: () => void }) {
  const user = useUser();
  const navigate = useNavigate();
  const name = user.fullName || user.email;
  const account = ({ ADMIN: '/admin/account', PARTNER: '/dashboard/settings/security', CLIENT: '/client/settings' } as const)[user.role];
  // A view has nobody's account behind it, and one way out: the bar above.
  if (user.viewAs) return null;
  return (
    <Menu
      label={
        <>
          {name}
          <span className="block font-normal">{user.email}</span>
        </>
      }
      trigger={
        <button type="button" className="rounded-full" aria-label={`${initials(name)}, account of ${name}`}>
          <Avatar text={initials(name)} />
        </button>
      }
      items={[
        ...(onKeys ? [{ label: 'Keys', icon: <Keyboard aria-hidden />, hint: '?', onPick: onKeys }, 'line' as const] : []),
        { label: 'Profile and security', icon: <ShieldCheck aria-hidden />, onPick: () => void navigate({ to: account }) },
        { label: 'Log out', icon: <LogOut aria-hidden />, onPick: () => void signOut() },
      ]}
    />
  );
}

/** Ends the session at the server and here. A server that cannot be reached must not keep anyone signed in on this screen. */
async function signOut(): Promise<void> {
  await leaveBy(
    () => api.logout().catch(() => undefined),
    () => leaveFor('/login', undefined),
  );
}
