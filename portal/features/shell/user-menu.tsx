import { Keyboard, LogOut } from 'lucide-react';
import { api, queryClient } from '../../lib/client.ts';
import { initials } from '../../lib/format.ts';
import { setSession, useUser } from '../../lib/session.ts';
import { Avatar } from '../../ui/layout.tsx';
import { Menu } from '../../ui/menu.tsx';

/** Who is signed in, the keys, and the way out. */
export function UserMenu({ onKeys }: { onKeys?: () => void }) {
  const user = useUser();
  const name = user.fullName || user.email;
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
        { label: 'Log out', icon: <LogOut aria-hidden />, onPick: () => void signOut() },
      ]}
    />
  );
}

/** Ends the session at the server and here. A server that cannot be reached must not keep anyone signed in on this screen. */
async function signOut(): Promise<void> {
  await api.logout().catch(() => undefined);
  queryClient.clear();
  setSession(undefined);
  location.assign('/login');
}
