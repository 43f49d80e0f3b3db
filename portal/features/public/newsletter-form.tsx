import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Input } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import './landing-page.css';

/** Asks for the newsletter. The response is the same for every address. */
export function NewsletterForm() {
  const [sentTo, setSentTo] = useState<string>();
  const done = useRef<HTMLParagraphElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({
    saved: { email: '' },
    send: ({ email }) => formApi.subscribeToNewsletter({ body: { email, source: 'landing', textVersion: NEWSLETTER_CONSENT.version } }),
    onSaved: (_result, { email }) => setSentTo(email.trim()),
  });
  useEffect(() => {
    if (sentTo !== undefined) done.current?.focus();
  }, [sentTo]);
  useEffect(() => {
    if (form.refusals > 0 && !form.isBusy) field.current?.focus();
  }, [form.refusals, form.isBusy]);
  // What was typed into the page as it came, before its script ran.
  const takeTyped = useEffectEvent(() => {
    const typed = field.current?.value;
    if (typed) form.set({ email: typed });
  });
  useEffect(() => takeTyped(), []);
  const problem = form.errors.email;
  return (
    <section aria-labelledby="newsletter" className="landing-newsletter">
      <div>
        <h2 id="newsletter" className="text-base">
          Newsletter
        </h2>
        <p id="newsletter-consent" className="mt-0.5 max-w-[52ch] text-sm text-ink-3 text-pretty">
          {NEWSLETTER_CONSENT.text}
        </p>
      </div>
      {sentTo === undefined ? (
        // Sends nothing before its script runs: by the default method, the address would be in that of the page.
        <form method="dialog" noValidate onSubmit={form.submit}>
          <div className="flex gap-2">
            <Input
              ref={field}
              size="lg"
              name="email"
              type="email"
              required
              autoComplete="email"
              inputMode="email"
              aria-label="E-mail address"
              placeholder="you@agency.example"
              aria-describedby={problem ? 'newsletter-problem newsletter-consent' : 'newsletter-consent'}
              aria-invalid={problem ? true : undefined}
              value={form.values.email}
              onChange={(event) => form.set({ email: event.target.value })}
            />
            <Button type="submit" size="lg" busy={form.isBusy && 'Sending'}>
              Subscribe
            </Button>
          </div>
          {problem ? (
            <p id="newsletter-problem" role="alert" className="mt-1.5 text-sm text-bad">
              {problem}
            </p>
          ) : form.error ? (
            <div className="mt-3">
              <ErrorBlock error={form.error} />
            </div>
          ) : null}
        </form>
      ) : (
        <p ref={done} tabIndex={-1} className="flex min-h-11 items-start gap-2 outline-0">
          <Mark kind="ok" className="mt-1" />
          <span className="min-w-0">
            We sent a link to <b>{sentTo}</b>. You are subscribed once you open it and confirm.
          </span>
        </p>
      )}
    </section>
  );
}
