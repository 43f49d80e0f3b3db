import { useMessages } from '../../app/messages.ts';
import type { ReactNode } from 'react';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHead } from './page-head.tsx';

/** The client's settings; the route adds the user's account below. */
export function ClientSettingsPage({ children }: { children: ReactNode }) {
  const { t } = useMessages();
  const user = useUser();
  useTitle(t('client.settings'), user.partner.name);
  return (
    <>
      <PageHead title={t('client.settings')} lead={user.viewAs ? undefined : user.email} />
      {children}
    </>
  );
}
