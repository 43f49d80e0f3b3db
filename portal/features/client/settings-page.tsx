import type { ReactNode } from 'react';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHead } from './page-head.tsx';

/** The client's settings; the route puts the reader's own account below. */
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
