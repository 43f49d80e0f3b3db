import { loadBrowserMessages, useMessages } from '../app/messages.ts';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { type Challenge, LoginForm, type SignedIn } from '../features/session/login-form.tsx';
import { MfaForm } from '../features/session/mfa-form.tsx';
import { PublicPage } from '../features/session/public-page.tsx';
import { useSignInBrand } from '../features/session/sign-in-brand.ts';
import { startSession } from '../features/session/sign-in.ts';
import { SsoForm, SsoJump } from '../features/session/sso-form.tsx';
import { ownHost } from '../app/own-host.ts';
import { getSession, homeOf } from '../app/session.ts';
import { onlySet, textParam } from '../app/search-params.ts';
import { slugIn } from '../shared/sso.ts';
import { useTitle } from '../ui/hooks/use-title.ts';
import { Note } from '../ui/feedback/note.tsx';

type Search = { next?: string; email?: string; welcome?: true; reset?: true; sso?: string };

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): Search => ({
    ...(typeof search.next === 'string' ? { next: search.next } : {}),
    ...(typeof search.email === 'string' ? { email: search.email } : {}),
    ...(search.welcome ? { welcome: true } : {}),
    ...(search.reset ? { reset: true } : {}),
    ...onlySet({ sso: textParam(search.sso) }),
  }),
  beforeLoad: () => {
    const session = getSession();
    if (session) throw redirect({ to: homeOf(session.user.role), replace: true });
  },
  loader: () => loadBrowserMessages(),
  component: LoginPage,
});

function LoginPage() {
  const { t } = useMessages();
  const { next, email, welcome, reset, sso } = Route.useSearch();
  const router = useRouter();
  const [challenge, setChallenge] = useState<Challenge>();
  // An invalid agency name in the URL opens the SSO form instead of the redirect.
  const [method, setMethod] = useState<'password' | 'sso' | 'redirect'>(sso === undefined ? 'password' : slugIn(sso) ? 'redirect' : 'sso');
  const brand = useSignInBrand(sso);
  useTitle(t('login.title'), (brand ?? ownHost)?.name);
  const onSession = (session: SignedIn): void => router.history.replace(startSession(session, next));
  return (
    <PublicPage agency={brand} foot={next && !welcome ? t('login.sessionEnded') : undefined}>
      {welcome && !challenge ? (
        <div className="mb-5">
          <Note tone="ok">
            <p>
              <b>{t('login.accountReady')}</b> {t('login.logInWithSet')}
            </p>
          </Note>
        </div>
      ) : null}
      {reset && !challenge ? (
        <div className="mb-5">
          <Note tone="ok">
            <p>
              <b>{t('login.passwordSet')}</b> {t('login.logInWithIt')}
            </p>
          </Note>
        </div>
      ) : null}
      {challenge ? (
        <MfaForm challenge={challenge} onSession={onSession} onBack={() => setChallenge(undefined)} />
      ) : method === 'redirect' ? (
        <SsoJump slug={slugIn(sso ?? '') ?? ''} next={next} onBack={() => setMethod('password')} />
      ) : method === 'sso' ? (
        <SsoForm next={next} onBack={() => setMethod('password')} />
      ) : (
        <LoginForm email={email ?? ''} next={next} onSession={onSession} onChallenge={setChallenge} onSso={() => setMethod('sso')} />
      )}
    </PublicPage>
  );
}
