import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { formApi } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { type Application, checkApplication, EMPTY, FIELD_NAMES, toBody, typedInto } from './application.ts';
import { useSessionState } from './use-session-state.ts';
import type { Choice } from './plan-choice.tsx';
import '../../ui/forms/checkbox.css';
import '../../ui/forms/field.css';

type Props = { choice: Choice; planChoice: ReactNode; onSent: (sent: { email: string }) => void };

const ID = 'application';

/** The application form. Values survive a reload; the first invalid field gets the focus. */
export function SignupForm({ choice, planChoice, onSent }: Props) {
  const [stored, setStored] = useSessionState<Application>('portal.application', EMPTY);
  const form = useForm({
    saved: stored,
    send: (values) => {
      const body = toBody(values);
      return choice.trial === true
        ? formApi.registerTrial({ body })
        : formApi.register({ body: { ...body, ...(choice.plan ? { planId: choice.plan } : {}) } });
    },
    onSaved: (_accepted, sent) => {
      setStored(EMPTY);
      onSent({ email: toBody(sent).email });
    },
    check: checkApplication,
    fieldNames: FIELD_NAMES,
  });
  const { values, errors: problems } = form;
  const count = Object.keys(problems).length;
  const set = (change: Partial<Application>): void => {
    form.set(change);
    setStored((before) => ({ ...before, ...change }));
  };
  // Takes over text typed into the page before its script ran.
  const takeTyped = useEffectEvent(() => {
    const typed = typedInto(new FormData(document.querySelector<HTMLFormElement>(`#${ID}`) ?? undefined));
    if (Object.keys(typed).length > 0) set(typed);
  });
  useEffect(() => takeTyped(), []);
  return (
    <Form form={form} id={ID} hasSummary={false} className="grid gap-8">
      {planChoice}
      {count > 0 ? (
        <Note tone="bad" alert>
          <b>{count === 1 ? 'One field needs' : `${plural(count, 'field')} need`} attention.</b> Your application was not sent.
        </Note>
      ) : null}
      {form.error ? <ErrorBlock error={form.error} /> : null}
      <Person values={values} problems={problems} set={set} />
      <Terms values={values} problem={problems['acceptTerms']} set={set} />
      <div>
        <PlainButton kind="primary" size="lg" type="submit" className="w-full md:w-auto" busy={form.isBusy && 'Sending'}>
          {choice.trial === true ? 'Apply for a trial' : 'Send application'}
        </PlainButton>
      </div>
    </Form>
  );
}

type PartProps = { values: Application; problems: Record<string, string | undefined>; set: (change: Partial<Application>) => void };

function Person({ values, problems, set }: PartProps) {
  const text = (name: 'fullName' | 'email' | 'companyName' | 'website' | 'clients') => ({
    size: 'lg' as const,
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <section aria-labelledby="you-head" className="grid gap-5">
      <h2 id="you-head" className="text-lg">
        You and your agency
      </h2>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label="Your name" error={problems['fullName']}>
          {(ids) => <Input {...ids} {...text('fullName')} required maxLength={120} autoComplete="name" />}
        </Field>
        <Field label="Work e-mail" error={problems['email']}>
          {(ids) => <Input {...ids} {...text('email')} required type="email" maxLength={254} autoComplete="email" />}
        </Field>
        <Field label="Agency" error={problems['companyName']}>
          {(ids) => <Input {...ids} {...text('companyName')} required maxLength={120} autoComplete="organization" />}
        </Field>
        <Field label="Website" note="optional" error={problems['website']}>
          {(ids) => <Input {...ids} {...text('website')} inputMode="url" maxLength={2048} autoComplete="url" />}
        </Field>
        <Field label="How many clients do you have?" note="optional" error={problems['clients']}>
          {(ids) => <Input {...ids} {...text('clients')} inputMode="numeric" maxLength={9} />}
        </Field>
      </div>
      <Field label="Anything we should know?" note="optional" error={problems['message']}>
        {(ids) => (
          <TextArea
            {...ids}
            name="message"
            rows={3}
            maxLength={2000}
            className="!text-base"
            value={values.message}
            onChange={(event) => set({ message: event.target.value })}
          />
        )}
      </Field>
    </section>
  );
}

function Terms({ values, problem, set }: { values: Application; problem: string | undefined; set: PartProps['set'] }) {
  return (
    <div className="grid gap-2">
      <label className="flex gap-3 py-1">
        <input
          type="checkbox"
          className="checkbox mt-1"
          name="acceptTerms"
          required
          checked={values.acceptTerms}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'terms-hint' : undefined}
          onChange={(event) => set({ acceptTerms: event.target.checked })}
        />
        <span>
          I accept the{' '}
          <a className="link" href="/terms" target="_blank" rel="noreferrer">
            terms
          </a>
          , and have read the{' '}
          <a className="link" href="/privacy" target="_blank" rel="noreferrer">
            privacy page
          </a>
          .
        </span>
      </label>
      {problem ? (
        <p id="terms-hint" className="field-hint !mt-0 pl-7" data-bad="">
          {problem}
        </p>
      ) : null}
      <label className="flex gap-3 py-1">
        <input
          type="checkbox"
          className="checkbox mt-1"
          name="newsletter"
          checked={values.newsletter}
          onChange={(event) => set({ newsletter: event.target.checked })}
        />
        <span>{NEWSLETTER_CONSENT.text}</span>
      </label>
    </div>
  );
}
