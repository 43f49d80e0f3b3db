import { useState } from 'react';
import { useLoginMessages } from '../../app/messages.ts';
import { ownHost } from '../../app/own-host.ts';
import { slugIn } from '../../shared/sso-start.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { type Challenge, LoginForm, type SignedIn } from './login-form.tsx';
import type { LoginSearch } from './login-search.ts';
import { MfaForm } from './mfa-form.tsx';
import { PublicPage } from './public-page.tsx';
import { startSession } from './sign-in.ts';
import { useSignInBrand } from './sign-in-brand.ts';
import { SsoForm, SsoJump } from './sso-form.tsx';

/** The login: with a password and the second step, or through the provider of an agency. `onOpen` opens the page that follows. */
export function LoginPage({ search, onOpen }: { search: LoginSearch; onOpen: (path: string) => void }) {
  const { t } = useLoginMessages();
  const { next, email, welcome, reset, sso } = search;
  const [challenge, setChallenge] = useState<Challenge>();
  // An invalid agency name in the URL opens the SSO form instead of the redirect.
  const [method, setMethod] = useState<'password' | 'sso' | 'redirect'>(sso === undefined ? 'password' : slugIn(sso) ? 'redirect' : 'sso');
  const brand = useSignInBrand(sso);
  useTitle(t('login.title'), (brand ?? ownHost)?.name);
  const onSession = (session: SignedIn): void => onOpen(startSession(session, next));
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
