import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { lastAgency, rememberAgency, slugIn, ssoStart } from '../../shared/sso.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';

type Props = { next: string | undefined; onBack: () => void };

/** Asks for the agency, then redirects to its identity provider. */
export function SsoForm({ next, onBack }: Props) {
  const [agency, setAgency] = useState(() => lastAgency() ?? '');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const slug = slugIn(agency);
    setWrong(!slug);
    if (!slug) return;
    rememberAgency(slug);
    location.assign(ssoStart(slug, next));
  };
  return (
    <form onSubmit={submit} className="grid gap-5">
      <div>
        <button type="button" className="mb-3 inline-flex min-h-8 items-center gap-2 text-sm text-ink-2" onClick={onBack}>
          <ArrowLeft className="icon-small" aria-hidden />
          Back
        </button>
        <h1 className="text-2xl tracking-[-0.02em]">Single sign-on</h1>
        <p className="text-ink-2">Log in with your agency’s identity provider.</p>
      </div>
      <TextField
        label="Agency"
        hint="Your agency’s short name, such as northwind. Admins find it under Settings › SSO."
        error={isWrong ? 'Use only lowercase letters, digits and hyphens, as in northwind.' : undefined}
        size="lg"
        name="agency"
        required
        autoFocus
        maxLength={64}
        autoCapitalize="none"
        autoComplete="organization"
        spellCheck={false}
        value={agency}
        onChange={setAgency}
      />
      <Button kind="primary" size="lg" type="submit">
        Continue to your provider
      </Button>
    </form>
  );
}

/** Redirects immediately for links that name the agency; offers a way back meanwhile. */
export function SsoJump({ slug, next, onBack }: Props & { slug: string }) {
  useEffect(() => {
    rememberAgency(slug);
    location.replace(ssoStart(slug, next));
  }, [slug, next]);
  return (
    <div className="grid gap-5">
      <h1 className="text-2xl tracking-[-0.02em]">Single sign-on</h1>
      <p className="flex items-center gap-2.5 text-ink-2" role="status">
        <Mark kind="run" />
        Taking you to your agency’s identity provider…
      </p>
      <p>
        <button type="button" className="link min-h-8" onClick={onBack}>
          Log in with a password instead
        </button>
      </p>
    </div>
  );
}
