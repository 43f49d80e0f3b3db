import { LIMITS, LOCALES, PROFILE_KEYS, type ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { LANGUAGE_NAMES, localeOf } from '@partner-portal/messages/locale.ts';
import type { ReactNode } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { type Client, storeClient } from '../../queries/clients.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const PLAIN = ['contactName', 'contactEmail', 'phone', 'website', 'industry', 'externalRef', 'notes'] as const;
const LANGUAGES = LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
type Key = 'name' | 'textCountries' | 'firstContactsPerHour' | (typeof PLAIN)[number] | ProfileKey;

/** The client's business details, contact and business profile. */
export function ClientSettings({ client }: { client: Client }) {
  const refusal = useRefusal('clients.manage');
  const form = useForm({
    saved: valuesOf(client),
    send: (values) =>
      formApi.updateClient({
        params: { id: client.id },
        headers: { 'if-match': `"${client.updatedAt}"` },
        body: {
          name: values.name,
          timezone: values.timezone,
          locale: localeOf(values.locale),
          ...recordOf(PLAIN, (key) => values[key].trim() || null),
          businessProfile: recordOf(PROFILE_KEYS, (key) => values[key]),
          textCountries: codesIn(values.textCountries),
          firstContactsPerHour: values.firstContactsPerHour.trim() === '' ? null : Number(values.firstContactsPerHour) || 0,
        },
      }),
    onSaved: (record) => {
      storeClient(record);
      announce('Saved.');
    },
  });
  const isOff = refusal !== undefined;
  const text = (key: Key, label: string, extra: { type?: string; hint?: string; note?: string } = {}): ReactNode => (
    <TextField label={label} type="text" disabled={isOff} required={key === 'name'} {...extra} {...form.input(key)} />
  );
  return (
    <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('clientConflict', client.id)} className="max-w-form">
      {text('name', 'Business name', { note: 'required' })}
      <div className="grid gap-5 md:grid-cols-2">
        {text('contactName', 'Contact')}
        {text('contactEmail', 'Contact e-mail', { type: 'email' })}
        {text('phone', 'Phone', { type: 'tel' })}
        {text('website', 'Website', { type: 'url' })}
      </div>
      <TimezoneField {...form.field('timezone')} hint="Used for quiet hours and reminders" disabled={isOff} />
      <Field
        label="Language"
        hint="Of the client’s portal, e-mails and report, and of the texts that new agents begin with; each user can choose another"
        error={form.errors['locale']}
      >
        {(ids) => (
          <Select
            {...ids}
            label="Language"
            options={LANGUAGES}
            value={form.values.locale}
            onChange={(locale) => form.set({ locale })}
            disabled={isOff}
          />
        )}
      </Field>
      <div className="grid gap-5 md:grid-cols-2">
        {text('industry', 'Trade')}
        {text('externalRef', 'Your reference', { hint: 'This client’s number in your own system' })}
      </div>
      <h2 className="-mb-2 border-t border-line pt-5 text-sm">
        Text messages{' '}
        <span className="font-normal text-ink-3">
          what agents may send at your cost; premium-rate and satellite numbers are never texted
        </span>
      </h2>
      <div className="grid gap-5 md:grid-cols-2">
        {text('textCountries', 'Countries that are texted', { hint: `Codes such as US, CA. Empty: ${ownCountriesOf(client)}` })}
        {text('firstContactsPerHour', 'New people per hour', {
          type: 'number',
          hint: `Above it, first texts wait for their turn. Empty: ${client.standardFirstContactsPerHour ?? 0}`,
        })}
      </div>
      <h2 className="-mb-2 border-t border-line pt-5 text-sm">
        Business profile{' '}
        <span className="font-normal text-ink-3">used when an agent’s own setting is empty; the client can edit it too</span>
      </h2>
      {text('bookingUrl', 'Booking link', { hint: 'Inserted into texts as {bookingUrl}', type: 'url' })}
      {text('reviewUrl', 'Review link', { hint: 'Sent to happy customers', type: 'url' })}
      <div className="grid gap-5 md:grid-cols-2">
        {text('hours', 'Opening hours', { hint: 'For example: Mon to Fri, 8 to 17' })}
        {text('address', 'Address', { hint: 'For directions' })}
      </div>
      <Field
        label="Questions and answers"
        note={`${form.values.faqText.length} of 8,000`}
        hint="AI agents and the website chatbot answer from this text and hand over to a person when the answer is missing."
        error={form.errors['faqText']}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={7}
            disabled={isOff}
            maxLength={LIMITS.faqTextMax}
            value={form.values.faqText}
            onChange={(event) => form.set({ faqText: event.target.value })}
          />
        )}
      </Field>
      <Field label="Notes" note="only your agency sees them" error={form.errors['notes']}>
        {(ids) => (
          <TextArea
            {...ids}
            disabled={isOff}
            maxLength={4000}
            value={form.values.notes}
            onChange={(event) => form.set({ notes: event.target.value })}
          />
        )}
      </Field>
    </SettingsForm>
  );
}

function valuesOf(client: Client): Record<Key | 'timezone' | 'locale', string> {
  return {
    name: client.name,
    timezone: client.timezone,
    locale: client.locale,
    textCountries: client.textCountries?.join(', ') ?? '',
    firstContactsPerHour: client.firstContactsPerHour?.toString() ?? '',
    ...recordOf(PLAIN, (key) => client[key] ?? ''),
    ...recordOf(PROFILE_KEYS, (key) => client.businessProfile[key]),
  };
}

/** The country codes of a text; null when it holds none. */
function codesIn(text: string): string[] | null {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '');
  return codes.length > 0 ? codes : null;
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

function ownCountriesOf({ ownCountries = [] }: Client): string {
  if (ownCountries.length === 0) return 'any country, because neither phone nor time zone names one';
  return ownCountries.map((code) => COUNTRY_NAMES.of(code) ?? code).join(', ');
}

function recordOf<K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>; // one entry per key
}
