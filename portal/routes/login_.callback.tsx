import { loadBrowserMessages } from '../app/messages.ts';
import { createFileRoute, Navigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { PublicPage } from '../features/session/public-page.tsx';
import { startSession } from '../features/session/sign-in.ts';
import { readArrival } from '../features/session/sso-arrival.ts';
import { CodeExchange, Refused, TestOutcome } from '../features/session/sso-callback.tsx';
import { getSession, homeOf, type Session } from '../app/session.ts';
import { useTitle } from '../ui/hooks/use-title.ts';

export const Route = createFileRoute('/login_/callback')({ loader: () => loadBrowserMessages(), component: LoginCallback });

function LoginCallback() {
  const router = useRouter();
  const [arrival] = useState(() => readArrival(location.search, location.hash));
  // Removes the code and the e-mail address from the address bar and the history.
  useEffect(() => {
    // Without an answer the page leads on at once, which this would undo.
    if (arrival.kind !== 'nothing') history.replaceState(history.state, '', location.pathname);
  }, [arrival.kind]);
  useTitle('Single sign-on');
  const returnTo = arrival.kind === 'code' ? arrival.returnTo : undefined;
  const onSession = useCallback((session: Session) => router.history.replace(startSession(session, returnTo)), [router, returnTo]);
  if (arrival.kind === 'nothing') {
    const session = getSession();
    return <Navigate to={session ? homeOf(session.user.role) : '/login'} replace />;
  }
  return (
    <PublicPage>
      {arrival.kind === 'code' ? (
        <CodeExchange code={arrival.code} onSession={onSession} />
      ) : arrival.kind === 'tested' || arrival.isTest ? (
        <TestOutcome arrival={arrival} />
      ) : (
        <Refused problem={arrival.problem} email={arrival.email} said={arrival.said} />
      )}
    </PublicPage>
  );
}
