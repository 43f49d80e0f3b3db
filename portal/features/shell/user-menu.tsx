import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, ShieldCheck } from 'lucide-react';
import { api } from '../../app/api.ts';
import { initials } from '../../ui/text/format.ts';
import { endSessionAndLeave } from '../../app/log-out.ts';
import { leaveWithSession, useUser } from '../../app/session.ts';
import { Avatar } from '../../ui/identity/marks.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';

/** Account menu: user, keyboard shortcuts and log out. */
export function UserMenu({ onKeys }: { onKeys?: () => void }) {
  const user = useUser();
  const navigate = useNavigate();
  const name = user.fullName || user.email;
  const account = ({ ADMIN: '/admin/account', PARTNER: '/dashboard/settings/security', CLIENT: '/client/settings' } as const)[user.role];
  // A view-as session has no account of its own; it ends in the bar above.
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
        ...(onKeys ? [{ label: 'Keyboard shortcuts', icon: <Keyboard aria-hidden />, hint: '?', onPick: onKeys }, 'line' as const] : []),
        { label: 'Profile and security', icon: <ShieldCheck aria-hidden />, onPick: () => void navigate({ to: account }) },
        { label: 'Log out', icon: <LogOut aria-hidden />, onPick: () => void signOut() },
      ]}
    />
  );
}

/** Ends the session at the server and locally; logs out locally even if the server is unreachable. */
async function signOut(): Promise<void> {
  await endSessionAndLeave(
    () => api.logout().catch(() => undefined),
    () => leaveWithSession('/login', undefined),
  );
}
