import { Link } from '@tanstack/react-router';
import { useMessages } from '../../app/messages.ts';
import type { ReactNode } from 'react';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Tabs } from '../../ui/layout/layout.tsx';
import { PageHead } from './page-head.tsx';

/** The first tab has no search parameter, so the other's must not match it. */
const EXACT = { explicitUndefined: true };

/** The client's settings, what is the user's own apart from what is the business's; the route adds the parts. */
export function ClientSettingsPage({ children }: { children: ReactNode }) {
  const { t } = useMessages();
  const user = useUser();
  useTitle(t('client.settings'), user.partner.name);
  return (
    <>
      <PageHead title={t('client.settings')} lead={user.viewAs ? undefined : user.email} />
      {user.suspension ? null : (
        <Tabs label={t('client.settings')}>
          <Link to="/client/settings" search={{ part: undefined }} activeOptions={EXACT}>
            {t('client.settings-you')}
          </Link>
          <Link to="/client/settings" search={{ part: 'business' }} activeOptions={EXACT}>
            {t('client.business')}
          </Link>
        </Tabs>
      )}
      {children}
    </>
  );
}
