import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { formatDay } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox, Field, TextField } from '../../ui/forms/field.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
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
  const stored = row && !row.inherited ? row : undefined;
  const [mode, setMode] = useState<SourceMode>(stored?.sourceMode ?? 'byok');
  const [isReplacing, setReplacing] = useState(stored?.sourceMode !== 'byok');
  const [values, setValues] = useState<Record<string, string>>({});
  const [ssl, setSsl] = useState(true);
  const save = useMutation({
    mutationFn: async () => {
      const data = 'ssl' in rule.fields ? { ...values, ssl } : values;
      await api.putCredential({
        params: { provider },
        body: { sourceMode: mode, ...(clientId ? { clientId } : {}), ...(mode === 'byok' ? { data } : {}) },
      });
      return api.testCredential({ params: { provider }, query: { clientId } }).catch(() => undefined);
    },
    onSuccess: (test) => {
      setValues({});
      setReplacing(false);
      void refreshAfter('credentialsChanged');
      announce(mode === 'platform' ? `${rule.title} now uses the platform key.` : `${rule.title} key saved.`);
      if (test) onSaved(test);
    },
  });
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending && !refusal) save.mutate();
  };
  const needsFields = mode === 'byok' && isReplacing;
  const canSave = needsFields || mode !== stored?.sourceMode;
  return (
    <form onSubmit={submit} className="grid gap-4">
      {rule.modes.includes('platform') ? (
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Whose key"
            value={mode}
            onChange={(next) => {
              setMode(next);
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
      <FormError error={save.error} />
      {mode === 'byok' && !isReplacing && stored ? (
        <Field label={`${PROVIDERS[provider].name} key`}>
          {(ids) => (
            <span className="input">
              <span className="flex-1 text-ink-3">saved {formatDay(stored.updatedAt)}, never shown</span>
              <button {...ids} type="button" className="link" disabled={refusal !== undefined} onClick={() => setReplacing(true)}>
                Replace
              </button>
            </span>
          )}
        </Field>
      ) : null}
      {needsFields ? (
        <KeyFields
          provider={provider}
          values={values}
          onChange={(field, value) => setValues((before) => ({ ...before, [field]: value }))}
          errors={errors}
          disabled={refusal !== undefined}
          ssl={ssl}
          onSsl={setSsl}
        />
      ) : null}
      {canSave ? (
        <div className="flex gap-2">
          <Button kind="primary" type="submit" disabledReason={refusal} busy={save.isPending && 'Saving'}>
            {mode === 'platform' ? 'Use the platform key' : 'Save and test'}
          </Button>
          {needsFields && stored?.sourceMode === 'byok' ? (
            <Button
              kind="quiet"
              onClick={() => {
                setReplacing(false);
                setValues({});
                save.reset();
              }}
            >
              Cancel
            </Button>
          ) : null}
        </div>
      ) : null}
    </form>
  );
}

type FieldsProps = {
  provider: Stored;
  values: Record<string, string>;
  onChange: (field: string, value: string) => void;
  errors: Record<string, string>;
  disabled: boolean;
  ssl: boolean;
  onSsl: (ssl: boolean) => void;
};

function KeyFields({ provider, values, onChange, errors, disabled, ssl, onSsl }: FieldsProps) {
  return Object.entries(PROVIDER_RULES[provider].fields).map(([field, kind]) => {
    const { label, hint } = LABELS[field] ?? { label: field };
    const error = errors[`data.${field}`] ?? errors[field];
    const value = values[field] ?? '';
    if (kind === 'secret')
      return (
        <WriteOnlyField
          key={field}
          label={label}
          savedAt={undefined}
          value={value}
          onChange={(next) => onChange(field, next)}
          hint={hint ?? 'Stored encrypted and never shown again.'}
          error={error}
          disabled={disabled}
        />
      );
    if (kind === 'flag')
      return (
        <Checkbox
          key={field}
          label="Connect with TLS"
          hint="Leave this on unless your database does not support it."
          checked={ssl}
          disabled={disabled}
          onChange={(event) => onSsl(event.target.checked)}
        />
      );
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
        onChange={(text) => onChange(field, text)}
      />
    );
  });
}
