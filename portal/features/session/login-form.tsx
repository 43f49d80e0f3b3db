import { Link } from '@tanstack/react-router';
import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { codeOf, explain, extension } from '../../app/errors.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';

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
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const form = useForm({
    saved: { email: known, password: '' },
    send: ({ email, password }) => formApi.login({ body: { email: email.trim(), password } }),
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
      <h1 className="text-2xl tracking-[-0.02em]">Log in</h1>
      <Refusal error={form.error} next={next} />
      <TextField
        label="E-mail"
        size="lg"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={!known}
        {...form.input('email')}
      />
      <Field label="Password" error={form.errors['password']} hint={hasCapsLock ? 'Caps lock is on.' : undefined}>
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
                aria-label={isShown ? 'Hide password' : 'Show password'}
                aria-pressed={isShown}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? <EyeOff className="icon" aria-hidden /> : <Eye className="icon" aria-hidden />}
              </button>
            }
          />
        )}
      </Field>
      <Button kind="primary" size="lg" type="submit" className="w-full" busy={form.isBusy && 'Logging in'}>
        Log in
      </Button>
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <Link className="link inline-flex min-h-8 items-center" to="/forgot-password" search={email.trim() ? { email: email.trim() } : {}}>
          Forgot your password?
        </Link>
        <button type="button" className="link min-h-8" onClick={onSso}>
          Use single sign-on
        </button>
      </p>
    </Form>
  );
}

function Refusal({ error, next }: { error: unknown; next: string | undefined }) {
  if (!error) return null;
  const code = codeOf(error);
  if (code === 'sso_required')
    return (
      <Note tone="live" alert>
        <p className="mb-2.5">
          <b>Your agency logs in through its identity provider.</b> You no longer need a password here.
        </p>
        <a className={buttonClass('default')} href={ssoLoginUrl(extension(error, 'ssoUrl'), next)}>
          Continue to your provider
        </a>
      </Note>
    );
  if (code === 'invalid_credentials')
    return (
      <Note tone="bad" alert>
        <p>
          <b>Wrong e-mail or password.</b> Check both; passwords are case-sensitive.
        </p>
      </Note>
    );
  if (code === 'rate_limited') {
    const seconds = Number(extension(error, 'retryAfterSeconds'));
    return (
      <Note tone="warn" alert>
        <p>
          <b>Too many attempts.</b> Wait {seconds > 60 ? `${Math.ceil(seconds / 60)} minutes` : 'a minute'}, then try again.
        </p>
      </Note>
    );
  }
  if (code === 'user_disabled')
    return (
      <Note tone="bad" alert>
        <p>
          <b>Your account is disabled.</b> {explain(error).detail}
        </p>
      </Note>
    );
  return <ErrorBlock error={error} />;
}

/** Returns the partner's SSO login URL, with the page to return to. */
function ssoLoginUrl(ssoUrl: unknown, next: string | undefined): string {
  const url = new URL(typeof ssoUrl === 'string' ? ssoUrl : '/login', location.href);
  if (next) url.searchParams.set('next', next);
  return url.href;
}
