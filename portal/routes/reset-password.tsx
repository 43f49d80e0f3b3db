import { loadBrowserMessages, useMessages } from '../app/messages.ts';
import { createFileRoute } from '@tanstack/react-router';
import { ownHost } from '../app/own-host.ts';
import { useEffect, useState } from 'react';
import { PublicPage } from '../features/session/public-page.tsx';
import { ResetForm } from '../features/session/reset-form.tsx';
import { useTitle } from '../ui/hooks/use-title.ts';

export const Route = createFileRoute('/reset-password')({ loader: () => loadBrowserMessages(), component: ResetPassword });

function ResetPassword() {
  const { t } = useMessages();
  const navigate = Route.useNavigate();
  // The token is in the fragment of the mailed link, which no server, log or referrer receives; it is removed from the address bar too. The state of the
  // history keeps it for a reload.
  const [token] = useState(() => location.hash.slice(1) || keptToken(history.state));
  useEffect(() => history.replaceState({ ...history.state, resetToken: token }, '', location.pathname), [token]);
  useTitle(t('login.newPassword'), ownHost?.name);
  return (
    <PublicPage>
      <ResetForm token={token} onDone={() => void navigate({ to: '/login', search: { reset: true }, replace: true })} />
    </PublicPage>
  );
}

function keptToken(state: unknown): string {
  return state !== null && typeof state === 'object' && 'resetToken' in state ? String(state.resetToken) : '';
}
