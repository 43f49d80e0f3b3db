import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { type Application, checkApplication, EMPTY, fieldOf, type Problems, toBody } from './application.ts';
import { useKept } from './kept.ts';
import type { Choice } from './plan-choice.tsx';

type Props = { choice: Choice; planChoice: ReactNode; onSent: (sent: { email: string }) => void };

/** The application form. Values survive a reload; the first invalid field gets the focus. */
export function SignupForm({ choice, planChoice, onSent }: Props) {
  const [values, setValues] = useKept<Application>('portal.application', EMPTY);
  const [found, setFound] = useState<Problems>({});
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const send = useMutation({
    mutationFn: () => {
      const body = toBody(values);
      return choice.trial === true
        ? api.registerTrial({ body })
        : api.register({ body: { ...body, ...(choice.plan ? { planId: choice.plan } : {}) } });
    },
    onSuccess: () => {
      const { email } = toBody(values);
      setValues(EMPTY);
      onSent({ email });
    },
    onError: () => setRefusals((before) => before + 1),
  });
  const refused = Object.fromEntries(Object.entries(fieldErrors(send.error)).map(([name, message]) => [fieldOf(name), message]));
  const problems: Record<string, string | undefined> = { ...refused, ...found };
  const count = Object.values(problems).filter(Boolean).length;
  // Once per refused attempt, never while the user types.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refusals]);
  const set = (change: Partial<Application>): void => {
    setValues((before) => ({ ...before, ...change }));
    setFound((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))));
    if (send.error) send.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (send.isPending) return;
    const next = checkApplication(values);
    setFound(next);
    if (Object.keys(next).length === 0) send.mutate();
    else setRefusals((before) => before + 1);
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-8">
      {planChoice}
      {count > 0 ? (
        <Note tone="bad" alert>
          <b>{count === 1 ? 'One field needs' : `${plural(count, 'field')} need`} attention.</b> Your application was not sent.
        </Note>
      ) : null}
      {send.error && count === 0 ? <ErrorBlock error={send.error} /> : null}
      <Person values={values} problems={problems} set={set} />
      <Terms values={values} problem={problems['acceptTerms']} set={set} />
      <div>
        <Button kind="primary" size="lg" type="submit" className="w-full md:w-auto" busy={send.isPending && 'Sending'}>
          {choice.trial === true ? 'Apply for a trial' : 'Send application'}
        </Button>
      </div>
    </form>
  );
}

type PartProps = { values: Application; problems: Record<string, string | undefined>; set: (change: Partial<Application>) => void };

function Person({ values, problems, set }: PartProps) {
  const text = (name: 'fullName' | 'email' | 'companyName' | 'website' | 'clients') => ({
    size: 'lg' as const,
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
          {(ids) => <Input {...ids} {...text('website')} inputMode="url" maxLength={2000} autoComplete="url" />}
        </Field>
        <Field label="How many clients do you have?" note="optional" error={problems['clients']}>
          {(ids) => <Input {...ids} {...text('clients')} inputMode="numeric" maxLength={9} />}
        </Field>
      </div>
      <Field label="Anything we should know?" note="optional" error={problems['message']}>
        {(ids) => (
          <TextArea
            {...ids}
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
          required
          checked={values.acceptTerms}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'terms-hint' : undefined}
          onChange={(event) => set({ acceptTerms: event.target.checked })}
        />
        <span>
          I accept the terms: our agents message only people who have consented, and you use our clients’ data only to run the agents.
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
          checked={values.newsletter}
          onChange={(event) => set({ newsletter: event.target.checked })}
        />
        <span>E-mail me about new agents, at most once a month.</span>
      </label>
    </div>
  );
}
