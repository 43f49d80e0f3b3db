import { checkCredentialData, type KeyField } from '@partner-portal/core/credential/credential.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api, formApi } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { formatDay, plural } from '../../ui/text/format.ts';
import { useIsSandbox, useRefusal } from '../../app/current-user.ts';
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
import type { Credential, Stored, Tested } from '../../queries/credentials.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/input.css';

type Props = {
  provider: Stored;
  clientId: string | undefined;
  row: Credential | undefined;
  onSaved: (result: Tested) => void;
};

/** `anyway`: also a key that the service refuses, in place of one that works. */
type Values = { mode: SourceMode; data: Record<string, string>; tls: TlsChoice; ca: string; anyway: boolean };

type Label = { label: string; hint?: string };
const LABELS: { readonly [field: string]: Label } = {
  apiKey: { label: 'API key' },
  accountSid: { label: 'Account SID', hint: 'Starts with AC; on the home page of the Twilio Console' },
  authToken: { label: 'Auth token' },
  host: { label: 'Host', hint: 'Must be reachable from the internet. Use a read-only user.' },
  port: { label: 'Port' },
  database: { label: 'Database' },
  user: { label: 'User' },
  password: { label: 'Password' },
} satisfies Record<Exclude<KeyField, 'ssl'>, Label>;

/** Saves a write-only key and tests it. The language models may use the platform's key instead. */
export function KeyForm({ provider, clientId, row, onSaved }: Props) {
  const rule = PROVIDER_RULES[provider];
  const refusal = useRefusal('credentials.manage');
  const { role } = useUser();
  const stored = row && !row.inherited ? row : undefined;
  const [isReplacing, setReplacing] = useState(stored?.sourceMode !== 'byok');
  const fields = useRef<HTMLDivElement>(null);
  const replace = useRef<HTMLButtonElement>(null);
  const isSandbox = useIsSandbox();
  const form = useForm<Values, Tested | undefined>({
    saved: { mode: stored?.sourceMode ?? 'byok', data: {}, tls: 'verify', ca: '', anyway: false },
    send: async ({ mode, data, tls, ca, anyway }) => {
      const saved = await formApi.putCredential({
        params: { provider },
        body: {
          sourceMode: mode,
          ...(clientId ? { clientId } : {}),
          ...(mode === 'byok' ? { data: 'ssl' in rule.fields ? { ...data, ssl: sslOf(tls, ca) } : data, onlyIfAccepted: !anyway } : {}),
        },
      });
      // Checked before it was saved.
      if (mode === 'byok' && !anyway && saved.lastCheck) return saved.lastCheck;
      return api.testCredential({ params: { provider }, query: { clientId } }).catch(() => undefined);
    },
    onSaved: (test, sent) => {
      form.set({ data: {}, tls: 'verify', ca: '', anyway: false });
      setReplacing(false);
      void refreshAfter('credentialsChanged');
      // A refused key is not announced as saved: the note next to the form shows the reason.
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
                ref={replace}
                type="button"
                className="link"
                aria-label={`Replace the ${PROVIDERS[provider].name} key`}
                disabled={refusal !== undefined}
                onClick={() => {
                  flushSync(() => setReplacing(true));
                  fields.current?.querySelector('input')?.focus();
                }}
              >
                Replace
              </button>
            </span>
          )}
        </Field>
      ) : null}
      {needsFields ? (
        <div ref={fields} className="contents">
          <KeyFields provider={provider} values={form.values} set={form.set} errors={form.errors} disabled={refusal !== undefined} />
        </div>
      ) : null}
      {codeOf(form.error) === 'key_refused' ? (
        <div className="text-ink-2">
          <p>
            {isSandbox && provider !== 'postgres' ? 'This is the sandbox, which accepts keys that contain the word “sandbox”. ' : null}
            If you save it anyway, {row && row.usedByAgents > 0 ? plural(row.usedByAgents, 'agent') : 'each agent'} that{' '}
            {row && row.usedByAgents > 1 ? 'need it fail' : 'needs it fails'} until {rule.title} accepts it.
          </p>
          <Button kind="quiet" size="sm" className="mt-1" onClick={() => form.sendNow({ anyway: true })}>
            Save anyway
          </Button>
        </div>
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
                flushSync(() => {
                  setReplacing(false);
                  form.reset();
                });
                replace.current?.focus();
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

function KeyFields({ provider, values, set, errors: refused, disabled }: FieldsProps) {
  const [left, setLeft] = useState<readonly string[]>([]);
  const checked = checkCredentialData(provider, values.data);
  // A field says what is wrong with its form once it is left.
  const found = checked.ok ? [] : checked.errors.filter(({ field, code }) => code !== 'required' && left.includes(field));
  const errors = { ...Object.fromEntries(found.map(({ field, message }) => [field, message])), ...refused };
  return Object.entries(PROVIDER_RULES[provider].fields).map(([field, kind]) => {
    const path = `data.${field}`;
    if (kind === 'tls') return <TlsFields key={field} tls={values.tls} ca={values.ca} set={set} error={errors[path]} disabled={disabled} />;
    const { label, hint } = LABELS[field] ?? { label: field };
    const control = {
      label,
      error: errors[path],
      disabled,
      value: values.data[field] ?? '',
      onChange: (typed: string): void => {
        setLeft((before) => before.filter((one) => one !== path));
        set({ data: { ...values.data, [field]: typed } });
      },
    };
    return (
      <div key={field} onBlur={() => setLeft((before) => [...before, path])}>
        {kind === 'key' || kind === 'password' ? (
          <WriteOnlyField {...control} savedAt={undefined} hint={hint ?? 'Stored encrypted and never shown again.'} />
        ) : (
          <TextField
            {...control}
            note={kind === 'port' ? 'default 5432' : 'required'}
            hint={hint}
            mono
            autoComplete="off"
            spellCheck={false}
            inputMode={kind === 'port' ? 'numeric' : 'text'}
          />
        )}
      </div>
    );
  });
}
