import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { lastAgency, rememberAgency, slugIn, ssoStart } from '../../shared/sso-start.ts';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Mark } from '../../ui/feedback/mark.tsx';

type Props = { next: string | undefined; onBack: () => void };

/** Asks for the agency, then redirects to its identity provider. */
export function SsoForm({ next, onBack }: Props) {
  const form = useForm({
    saved: { agency: lastAgency() ?? '' },
    check: ({ agency }) => (slugIn(agency) ? {} : { agency: 'Use only lowercase letters, digits and hyphens, as in northwind.' }),
    send: async ({ agency }) => slugIn(agency) ?? '',
    onSaved: (slug) => {
      rememberAgency(slug);
      location.assign(ssoStart(slug, next));
    },
    keepValues: true,
  });
  return (
    <Form form={form} hasSummary={false}>
      <div>
        <button type="button" className="mb-3 inline-flex min-h-8 items-center gap-2 text-sm text-ink-2" onClick={onBack}>
          <ArrowLeft className="icon-small" aria-hidden />
          Back
        </button>
        <h1 className="text-2xl tracking-figure">Single sign-on</h1>
        <p className="text-ink-2">Log in with your agency’s identity provider.</p>
      </div>
      <TextField
        label="Agency"
        hint="Your agency’s short name, such as northwind. Admins find it under Settings › SSO."
        size="lg"
        name="agency"
        required
        autoFocus
        maxLength={64}
        autoCapitalize="none"
        autoComplete="organization"
        spellCheck={false}
        {...form.input('agency')}
      />
      <PlainButton kind="primary" size="lg" type="submit">
        Continue to your provider
      </PlainButton>
    </Form>
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
      <h1 className="text-2xl tracking-figure">Single sign-on</h1>
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
