import { lazy, Suspense, useState } from 'react';
import { useLoginMessages } from '../../app/messages.ts';
import { reloadOnce } from '../../app/reload-once.ts';
import { ownHost } from '../../app/own-host.ts';
import { slugIn } from '../../shared/sso-start.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { type Challenge, LoginForm, type SignedIn } from './login-form.tsx';
import type { LoginSearch } from './login-search.ts';
import { PublicPage } from './public-page.tsx';
import { startSession } from './sign-in.ts';
import { useSignInBrand } from './sign-in-brand.ts';

/** Forms that most logins do not show. When a file does not arrive, the login is loaded again. */
const loadMfa = () => import('./mfa-form.tsx');
const loadSso = () => import('./sso-form.tsx');
const MfaForm = lazy(() => loadMfa().then((module) => ({ default: module.MfaForm }), startAgain));
const SsoForm = lazy(() => loadSso().then((module) => ({ default: module.SsoForm }), startAgain));
const SsoJump = lazy(() => loadSso().then((module) => ({ default: module.SsoJump }), startAgain));

function startAgain(error: unknown): Promise<never> {
  if (!reloadOnce(error)) location.assign('/login');
  return new Promise(() => undefined);
}

/** Loads them while someone types. */
export function preloadForms(): void {
  for (const load of [loadMfa, loadSso]) load().catch(() => undefined);
}

/** The login: with a password and the second step, or through the provider of an agency. `onOpen` opens the page that follows. */
export function LoginPage({ search, onOpen }: { search: LoginSearch; onOpen: (path: string) => void }) {
  const { t } = useLoginMessages();
  const { next, email, welcome, sso } = search;
  const notice = noticeOf(search);
  const [challenge, setChallenge] = useState<Challenge>();
  // An invalid agency name in the URL opens the SSO form instead of the redirect.
  const [method, setMethod] = useState<'password' | 'sso' | 'redirect'>(sso === undefined ? 'password' : slugIn(sso) ? 'redirect' : 'sso');
  const brand = useSignInBrand(sso);
  useTitle(t('login.title'), (brand ?? ownHost)?.name);
  const onSession = (session: SignedIn): void => onOpen(startSession(session, next));
  return (
    <PublicPage
      agency={brand}
      foot={<Foot hasEnded={next !== undefined && !welcome} isOwn={brand !== undefined || ownHost !== undefined} />}
    >
      {notice && !challenge ? (
        <div className="mb-5">
          <Note tone={notice[0]}>
            <b>{t(notice[1])}</b> {notice[2] && t(notice[2])}
          </Note>
        </div>
      ) : null}
      <Suspense>
        {challenge ? (
          <MfaForm challenge={challenge} onSession={onSession} onBack={() => setChallenge(undefined)} />
        ) : method === 'redirect' ? (
          <SsoJump slug={slugIn(sso ?? '') ?? ''} next={next} onBack={() => setMethod('password')} />
        ) : method === 'sso' ? (
          <SsoForm next={next} onBack={() => setMethod('password')} />
        ) : (
          <LoginForm email={email ?? ''} next={next} onSession={onSession} onChallenge={setChallenge} onSso={() => setMethod('sso')} />
        )}
      </Suspense>
    </PublicPage>
  );
}

/** What led here, above the fields. */
function noticeOf({ welcome, reset, ended }: LoginSearch) {
  if (welcome) return ['ok', 'login.accountReady', 'login.logInWithSet'] as const;
  if (reset) return ['ok', 'login.passwordSet', 'login.logInWithIt'] as const;
  return ended ? (['warn', 'login.ended', ended === 'unsaved' ? 'login.notSaved' : undefined] as const) : undefined;
}

/** Clients and teams of an agency log in on its page, which does not lead to the platform's. */
function Foot({ hasEnded, isOwn }: { hasEnded: boolean; isOwn: boolean }) {
  const { t } = useLoginMessages();
  return (
    <>
      {hasEnded ? <p>{t('login.sessionEnded')}</p> : null}
      {isOwn ? null : (
        <nav aria-label={t('login.more')} className="flex gap-5">
          {(['terms', 'privacy'] as const).map((page) => (
            <a key={page} href={`/${page}`} className="inline-flex min-h-11 items-center hover:underline">
              {t(`login.${page}`)}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
