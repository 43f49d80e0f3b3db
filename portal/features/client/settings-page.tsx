import type { ReactNode } from 'react';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHead } from './page-head.tsx';

/** The client's settings; the route adds the user's account below. */
export function ClientSettingsPage({ children }: { children: ReactNode }) {
  const user = useUser();
  useTitle('Settings', user.partner.name);
  return (
    <>
      <PageHead title="Settings" lead={user.viewAs ? undefined : user.email} />
      {children}
    </>
  );
}
