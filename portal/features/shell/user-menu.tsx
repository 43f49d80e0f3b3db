import { ACCOUNT_PAGES } from '@partner-portal/contract/account-pages.ts';
import { useMessages } from '../../app/messages.ts';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, ShieldCheck } from 'lucide-react';
import { initials } from '../../ui/text/initials.ts';
import { signOut } from '../../app/sign-out.ts';
import { useUser } from '../../app/session.ts';
import { Avatar } from '../../ui/identity/marks.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';

/** Account menu: user, keyboard shortcuts and log out. */
export function UserMenu({ onKeys, role }: { onKeys?: () => void; role?: string | undefined }) {
  const { t } = useMessages();
  const user = useUser();
  const navigate = useNavigate();
  const name = user.fullName || user.email;
  // A view-as session has no account of its own; it ends in the bar above.
  if (user.viewAs) return null;
  return (
    <Menu
      label={
        <>
          {name}
          <span className="block font-normal">{user.email}</span>
          {role ? <span className="block font-normal">{role}</span> : null}
        </>
      }
      trigger={
        <button type="button" className="rounded-full" aria-label={t('client.accountOf', { initials: initials(name), name })}>
          <Avatar name={name} url={user.avatarUrl} />
        </button>
      }
      items={[
        ...(onKeys ? [{ label: 'Keyboard shortcuts', icon: <Keyboard aria-hidden />, hint: '?', onPick: onKeys }, 'line' as const] : []),
        {
          label: t('client.profileSecurity'),
          icon: <ShieldCheck aria-hidden />,
          onPick: () => void navigate({ to: ACCOUNT_PAGES[user.role].account }),
        },
        { label: t('client.logOut'), icon: <LogOut aria-hidden />, onPick: () => void signOut() },
      ]}
    />
  );
}
