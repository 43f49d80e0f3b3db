import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useEdits } from '../../ui/hooks/use-edits.ts';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { SettingsForm } from '../../shared/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { type Client, storeClient } from '../../queries/clients.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const PLAIN = ['contactName', 'contactEmail', 'phone', 'website', 'industry', 'externalRef', 'notes'] as const;
type Profile = Client['businessProfile'];
type Values = { name: string; timezone: string; businessProfile: Profile } & Record<(typeof PLAIN)[number], string>;

/** The client's business details, contact and business profile. */
export function ClientSettings({ client }: { client: Client }) {
  const refusal = useRefusal('clients.manage');
  const edits = useEdits(valuesOf(client));
  const { values, set } = edits;
  const save = useMutation({
    mutationFn: () =>
      api.updateClient({
        params: { id: client.id },
        headers: { 'if-match': `"${client.updatedAt}"` },
        body: { ...values, ...Object.fromEntries(PLAIN.map((key) => [key, values[key].trim() || null])) },
      }),
    onMutate: () => values,
    onSuccess: (record, _body, sent) => {
      storeClient(record);
      edits.settle(sent);
      announce('Saved.');
    },
  });
  const errors = fieldErrors(save.error);
  const isOff = refusal !== undefined;
  const setProfile = (part: Partial<Profile>): void => set({ businessProfile: { ...values.businessProfile, ...part } });
  const text = (
    key: 'name' | (typeof PLAIN)[number],
    label: string,
    extra: { type?: string; hint?: string; note?: string } = {},
  ): ReactNode => (
    <TextField
      label={label}
      hint={extra.hint}
      note={extra.note}
      error={errors[key]}
      type={extra.type ?? 'text'}
      disabled={isOff}
      required={key === 'name'}
      value={values[key]}
      onChange={(text) => set({ [key]: text })}
    />
  );
  const profile = (key: keyof Profile, label: string, hint: string, type: 'text' | 'url' = 'text'): ReactNode => (
    <TextField
      label={label}
      hint={hint}
      error={errors[`businessProfile.${key}`]}
      type={type}
      disabled={isOff}
      value={values.businessProfile[key]}
      onChange={(text) => setProfile({ [key]: text })}
    />
  );
  return (
    <SettingsForm
      edits={edits}
      save={save}
      refusal={refusal}
      onReload={() => void refreshAfter('clientConflict', client.id)}
      className="max-w-[620px]"
    >
      {text('name', 'Business name', { note: 'required' })}
      <div className="grid gap-5 md:grid-cols-2">
        {text('contactName', 'Contact')}
        {text('contactEmail', 'Contact e-mail', { type: 'email' })}
        {text('phone', 'Phone', { type: 'tel' })}
        {text('website', 'Website', { type: 'url' })}
      </div>
      <TimezoneField
        value={values.timezone}
        onChange={(timezone) => set({ timezone })}
        error={errors['timezone']}
        hint="Used for quiet hours and reminders"
        disabled={isOff}
      />
      <div className="grid gap-5 md:grid-cols-2">
        {text('industry', 'Trade')}
        {text('externalRef', 'Your reference', { hint: 'This client’s number in your own system' })}
      </div>
      <h2 className="-mb-2 border-t border-line pt-5 text-[13px]">
        Business profile{' '}
        <span className="font-normal text-ink-3">used when an agent’s own setting is empty; the client can edit it too</span>
      </h2>
      {profile('bookingUrl', 'Booking link', 'Inserted into texts as {bookingUrl}', 'url')}
      {profile('reviewUrl', 'Review link', 'Sent to happy customers', 'url')}
      <div className="grid gap-5 md:grid-cols-2">
        {profile('hours', 'Opening hours', 'For example: Mon to Fri, 8 to 17')}
        {profile('address', 'Address', 'For directions')}
      </div>
      <Field
        label="Questions and answers"
        note={`${values.businessProfile.faqText.length} of 8,000`}
        hint="AI agents answer from this text and hand over to a person when the answer is missing."
        error={errors['businessProfile.faqText']}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={7}
            disabled={isOff}
            maxLength={8000}
            value={values.businessProfile.faqText}
            onChange={(event) => setProfile({ faqText: event.target.value })}
          />
        )}
      </Field>
      <Field label="Notes" note="only your agency sees them" error={errors['notes']}>
        {(ids) => (
          <TextArea
            {...ids}
            disabled={isOff}
            maxLength={4000}
            value={values.notes}
            onChange={(event) => set({ notes: event.target.value })}
          />
        )}
      </Field>
    </SettingsForm>
  );
}

function valuesOf(client: Client): Values {
  const plain = Object.fromEntries(PLAIN.map((key) => [key, client[key] ?? ''])) as Record<(typeof PLAIN)[number], string>; // one entry per key of PLAIN
  return { name: client.name, timezone: client.timezone, businessProfile: client.businessProfile, ...plain };
}
