import { useLoginMessages } from '../../app/messages.ts';
import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Reply } from '../../app/api.ts';
import { codeOf, explain, extension } from '../../app/errors.ts';
import { ownHost } from '../../app/own-host.ts';
import { buttonClass, PlainButton } from '../../ui/controls/plain-button.tsx';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { logIn } from './log-in.ts';

type LoginAnswer = Reply<'login'>;
export type Challenge = Extract<LoginAnswer, { mfaRequired: true }> & { email: string };
export type SignedIn = Extract<LoginAnswer, { accessToken: string }>;

type Props = {
  email: string;
  /** Page to return to after login. */
  next: string | undefined;
  onSession: (session: SignedIn) => void;
  onChallenge: (challenge: Challenge) => void;
  onSso: () => void;
};

/** Login with e-mail and password. Wrong password and unknown address show the same error. */
export function LoginForm({ email: known, next, onSession, onChallenge, onSso }: Props) {
  const { t } = useLoginMessages();
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const form = useForm({
    saved: { email: known, password: '' },
    send: ({ email, password }) => logIn({ email: email.trim(), password }),
    onSaved: (answer, { email }) => ('accessToken' in answer ? onSession(answer) : onChallenge({ ...answer, email })),
    keepValues: true,
  });
  const { email } = form.values;
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (form.error) password.current?.focus();
  }, [form.error]);
  const watchCaps = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <Form form={form} hasSummary={false}>
      <h1 className="text-2xl tracking-figure">{t('login.title')}</h1>
      <Refusal error={form.error} next={next} />
      <TextField
        label={t('login.email')}
        size="lg"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={!known}
        {...form.input('email')}
      />
      <Field label={t('login.password')} error={form.errors['password']} hint={hasCapsLock ? t('login.capsLock') : undefined}>
        {(ids) => (
          <Input
            {...ids}
            size="lg"
            type={isShown ? 'text' : 'password'}
            name="password"
            autoComplete="current-password"
            required
            autoFocus={Boolean(known)}
            ref={password}
            data-field="password"
            value={form.values.password}
            onChange={(event) => form.set({ password: event.target.value })}
            onKeyDown={watchCaps}
            onKeyUp={watchCaps}
            after={
              <button
                type="button"
                className="-mr-1.5 grid size-8 place-items-center rounded-md text-ink-3 hover:bg-hover"
                aria-label={isShown ? t('login.hide') : t('login.show')}
                aria-pressed={isShown}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? <EyeOff className="icon" aria-hidden /> : <Eye className="icon" aria-hidden />}
              </button>
            }
          />
        )}
      </Field>
      <PlainButton kind="primary" size="lg" type="submit" className="w-full" busy={form.isBusy && t('login.loggingIn')}>
        {t('login.title')}
      </PlainButton>
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <a className="link inline-flex min-h-8 items-center" href={`/forgot-password${about(email.trim())}`}>
          {t('login.forgot')}
        </a>
        {ownHost ? null : (
          <button type="button" className="link min-h-8" onClick={onSso}>
            {t('login.useSso')}
          </button>
        )}
      </p>
    </Form>
  );
}

function Refusal({ error, next }: { error: unknown; next: string | undefined }) {
  const { t } = useLoginMessages();
  if (!error) return null;
  const code = codeOf(error);
  if (code === 'sso_required')
    return (
      <Note tone="live" alert>
        <p className="mb-2.5">
          <b>{t('login.ssoRequired')}</b> {t('login.ssoNoPassword')}
        </p>
        <a className={buttonClass('default')} href={ssoLoginUrl(extension(error, 'ssoUrl'), next)}>
          {t('login.ssoContinue')}
        </a>
      </Note>
    );
  if (code === 'role_forbidden' && typeof extension(error, 'loginUrl') === 'string')
    return (
      <Note tone="live" alert>
        <p className="mb-2.5">
          <b>This address is for your clients.</b> Your team logs in elsewhere.
        </p>
        <a className={buttonClass('default')} href={String(extension(error, 'loginUrl'))}>
          Go to the login of your team
        </a>
      </Note>
    );
  if (code === 'invalid_credentials')
    return (
      <Note tone="bad" alert>
        <p>
          <b>{t('login.wrong')}</b> {t('login.wrongHint')}
        </p>
      </Note>
    );
  if (code === 'rate_limited') {
    const seconds = Number(extension(error, 'retryAfterSeconds'));
    return (
      <Note tone="warn" alert>
        <p>
          <b>{t('login.tooMany')}</b> {t('login.wait', { minutes: seconds > 60 ? Math.ceil(seconds / 60) : 1 })}{' '}
          {seconds > 60 ? t('login.orReset') : null}
        </p>
      </Note>
    );
  }
  if (code === 'user_disabled')
    return (
      <Note tone="bad" alert>
        <p>
          <b>{t('login.disabled')}</b> {explain(error).detail}
        </p>
      </Note>
    );
  return <ErrorBlock error={error} />;
}

/** The address that the next page begins with. */
function about(email: string): string {
  return email ? `?${new URLSearchParams({ email }).toString()}` : '';
}

/** Returns the partner's SSO login URL, with the page to return to. */
function ssoLoginUrl(ssoUrl: unknown, next: string | undefined): string {
  const url = new URL(typeof ssoUrl === 'string' ? ssoUrl : '/login', location.href);
  if (next) url.searchParams.set('next', next);
  return url.href;
}
