import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { formatDay } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { AiRatesTable } from '../../shared/ai-rates-table.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { sslOf, type TlsChoice } from '../../shared/sql-tls.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { WriteOnlyField } from '../../ui/forms/write-only-field.tsx';
import type { Credential, Stored } from '../../queries/credentials.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/input.css';

type Props = {
  provider: Stored;
  clientId: string | undefined;
  row: Credential | undefined;
  onSaved: (result: { ok: boolean; message: string }) => void;
};

type Values = { mode: SourceMode; data: Record<string, string>; tls: TlsChoice; ca: string };
type Tested = { ok: boolean; message: string } | undefined;

const LABELS: Record<string, { label: string; hint?: string }> = {
  apiKey: { label: 'API key' },
  accountSid: { label: 'Account SID', hint: 'Starts with AC; on the home page of the Twilio Console' },
  authToken: { label: 'Auth token' },
  host: { label: 'Host', hint: 'Must be reachable from the internet. Use a read-only user.' },
  port: { label: 'Port' },
  database: { label: 'Database' },
  user: { label: 'User' },
  password: { label: 'Password' },
};

/** Saves a write-only key and tests it. The language models may use the platform's key instead. */
export function KeyForm({ provider, clientId, row, onSaved }: Props) {
  const rule = PROVIDER_RULES[provider];
  const refusal = useRefusal('credentials.manage');
  const { role } = useUser();
  const stored = row && !row.inherited ? row : undefined;
  const [isReplacing, setReplacing] = useState(stored?.sourceMode !== 'byok');
  const form = useForm<Values, Tested>({
    saved: { mode: stored?.sourceMode ?? 'byok', data: {}, tls: 'verify', ca: '' },
    send: async ({ mode, data, tls, ca }) => {
      await formApi.putCredential({
        params: { provider },
        body: {
          sourceMode: mode,
          ...(clientId ? { clientId } : {}),
          ...(mode === 'byok' ? { data: 'ssl' in rule.fields ? { ...data, ssl: sslOf(tls, ca) } : data } : {}),
        },
      });
      return api.testCredential({ params: { provider }, query: { clientId } }).catch(() => undefined);
    },
    onSaved: (test, sent) => {
      form.set({ data: {}, tls: 'verify', ca: '' });
      setReplacing(false);
      void refreshAfter('credentialsChanged');
      // A key that was refused is no success: the note beside the form says what happened.
      if (test?.ok !== false) announce(sent.mode === 'platform' ? `${rule.title} now uses the platform key.` : `${rule.title} key saved.`);
      if (test) onSaved(test);
    },
    fieldNames: { sourceMode: 'mode' },
    keepValues: true,
  });
  const { mode } = form.values;
  const needsFields = mode === 'byok' && isReplacing;
  const canSave = needsFields || mode !== stored?.sourceMode;
  return (
    <Form form={form} className="grid gap-4">
      {rule.modes.includes('platform') ? (
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Whose key"
            value={mode}
            onChange={(next) => {
              form.set({ mode: next });
              setReplacing(next === 'byok' && stored?.sourceMode !== 'byok');
            }}
            options={[
              { value: 'platform', label: 'Platform key' },
              { value: 'byok', label: 'Own key' },
            ]}
          />
          <p className="text-xs text-ink-3">
            {mode === 'platform'
              ? 'Usage is charged in credits. No key needed.'
              : `${rule.title} bills you directly; tokens cost no credits.`}
          </p>
        </div>
      ) : null}
      {mode === 'platform' && (provider === 'openai' || provider === 'anthropic') && role !== 'CLIENT' ? (
        <details>
          <summary className="link">Credits for 1,000 tokens</summary>
          <div className="mt-2">
            <AiRatesTable provider={provider} />
          </div>
        </details>
      ) : null}
      {mode === 'byok' && !isReplacing && stored ? (
        <Field label={`${PROVIDERS[provider].name} key`}>
          {(ids) => (
            <span className="input">
              <output {...ids} className="flex-1 text-ink-3">
                saved {formatDay(stored.updatedAt)}, never shown
              </output>
              <button
                type="button"
                className="link"
                aria-label={`Replace the ${PROVIDERS[provider].name} key`}
                disabled={refusal !== undefined}
                onClick={() => setReplacing(true)}
              >
                Replace
              </button>
            </span>
          )}
        </Field>
      ) : null}
      {needsFields ? (
        <KeyFields provider={provider} values={form.values} set={form.set} errors={form.errors} disabled={refusal !== undefined} />
      ) : null}
      {canSave ? (
        <div className="flex gap-2">
          <Button kind="primary" type="submit" disabledReason={refusal} busy={form.isBusy && 'Saving'}>
            {mode === 'platform' ? 'Use the platform key' : 'Save and test'}
          </Button>
          {needsFields && stored?.sourceMode === 'byok' ? (
            <Button
              kind="quiet"
              onClick={() => {
                setReplacing(false);
                form.reset();
              }}
            >
              Cancel
            </Button>
          ) : null}
        </div>
      ) : null}
    </Form>
  );
}

const TLS_OPTIONS: readonly { value: TlsChoice; label: string; hint?: string }[] = [
  { value: 'verify', label: 'TLS, verify the certificate', hint: 'recommended' },
  { value: 'ca', label: 'TLS, verify with a CA certificate' },
  { value: 'any', label: 'TLS, do not verify', hint: 'unsafe' },
  { value: 'off', label: 'No TLS', hint: 'unsafe' },
];
const TLS_HINTS: Partial<Record<TlsChoice, string>> = {
  verify: 'For databases with a certificate of a public authority.',
  ca: 'For databases that have an authority of their own, as most hosted ones do.',
};
const TLS_RISKS: Partial<Record<TlsChoice, string>> = {
  any: 'Someone on the network can pretend to be your database, and read the password and every row. The audit log records this choice.',
  off: 'The password and every row cross the network unencrypted. Anyone on the way can read and change them.',
};

function TlsFields({
  tls,
  ca,
  set,
  error,
  disabled,
}: Pick<Values, 'tls' | 'ca'> & Pick<FieldsProps, 'set' | 'disabled'> & { error: string | undefined }) {
  const risk = TLS_RISKS[tls];
  return (
    <>
      <Field label="Encryption" hint={TLS_HINTS[tls]} error={tls === 'ca' ? undefined : error}>
        {(ids) => (
          <Select
            {...ids}
            label="Encryption"
            value={tls}
            disabled={disabled}
            options={TLS_OPTIONS}
            onChange={(picked) => set({ tls: TLS_OPTIONS.find(({ value }) => value === picked)?.value ?? 'verify' })}
          />
        )}
      </Field>
      {tls === 'ca' ? (
        <Field label="CA certificate" note="required" hint="In PEM format, as your database host offers it for download." error={error}>
          {(ids) => (
            <TextArea
              {...ids}
              mono
              rows={6}
              spellCheck={false}
              autoComplete="off"
              placeholder="-----BEGIN CERTIFICATE-----"
              disabled={disabled}
              value={ca}
              onChange={(event) => set({ ca: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      {risk ? <Note tone="warn">{risk}</Note> : null}
    </>
  );
}

type FieldsProps = {
  provider: Stored;
  values: Values;
  set: (part: Partial<Values>) => void;
  errors: Record<string, string>;
  disabled: boolean;
};

function KeyFields({ provider, values, set, errors, disabled }: FieldsProps) {
  return Object.entries(PROVIDER_RULES[provider].fields).map(([field, kind]) => {
    const { label, hint } = LABELS[field] ?? { label: field };
    const error = errors[`data.${field}`];
    const value = values.data[field] ?? '';
    const change = (typed: string): void => set({ data: { ...values.data, [field]: typed } });
    if (kind === 'key' || kind === 'password')
      return (
        <WriteOnlyField
          key={field}
          label={label}
          savedAt={undefined}
          value={value}
          onChange={change}
          hint={hint ?? 'Stored encrypted and never shown again.'}
          error={error}
          disabled={disabled}
        />
      );
    if (kind === 'tls') return <TlsFields key={field} tls={values.tls} ca={values.ca} set={set} error={error} disabled={disabled} />;
    return (
      <TextField
        key={field}
        label={label}
        note={kind === 'port' ? 'default 5432' : 'required'}
        hint={hint}
        error={error}
        mono
        autoComplete="off"
        spellCheck={false}
        inputMode={kind === 'port' ? 'numeric' : 'text'}
        disabled={disabled}
        value={value}
        onChange={change}
      />
    );
  });
}
