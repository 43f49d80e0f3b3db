import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { ServiceView } from './services-queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const LABELS: Record<string, string> = {
  apiKey: 'API key',
  accountSid: 'Account SID',
  authToken: 'Auth token',
  host: 'Host',
  port: 'Port',
  database: 'Database',
  user: 'User',
  password: 'Password',
};

/** Saves the client's own credential and tests it. It is write-only. */
export function KeyDialog({ view: { provider }, onClose }: { view: ServiceView; onClose: () => void }) {
  const { name } = PROVIDERS[provider];
  const { fields } = PROVIDER_RULES[provider];
  const [values, setValues] = useState<Record<string, string>>({});
  const [ssl, setSsl] = useState(true);
  const save = useMutation({
    mutationFn: async () => {
      await api.putCredential({ params: { provider }, body: { sourceMode: 'byok', data: 'ssl' in fields ? { ...values, ssl } : values } });
      return api.testCredential({ params: { provider } }).catch(() => undefined);
    },
    onSuccess: (test) => {
      announce(`Your ${name} key is saved.`, test ? { detail: test.ok ? `${name} accepts it.` : test.message } : {});
      onClose();
    },
    onSettled: () => void refreshAfter('clientCredentialsChanged'),
  });
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const isFieldError = Object.keys(errors).some((key) => key.startsWith('data.'));
  return (
    <Dialog open onClose={onClose} title={`Your own ${name} key`}>
      <form onSubmit={submit} className="mt-2 grid gap-4">
        <p className="text-ink-2">Your key is stored encrypted and never shown again. Your agents use it from their next task.</p>
        {save.error && !isFieldError ? <ErrorBlock error={save.error} /> : null}
        {Object.entries(fields).map(([field, kind]) =>
          kind === 'flag' ? (
            <Checkbox
              key={field}
              label="Connect with TLS"
              hint="Leave this on unless your database does not support it."
              checked={ssl}
              onChange={(event) => setSsl(event.target.checked)}
            />
          ) : (
            <TextField
              key={field}
              label={LABELS[field] ?? field}
              note={kind === 'port' ? 'default 5432' : 'required'}
              error={errors[`data.${field}`]}
              size="lg"
              mono
              type={kind === 'secret' ? 'password' : 'text'}
              autoComplete="off"
              spellCheck={false}
              required={kind !== 'port'}
              inputMode={kind === 'port' ? 'numeric' : 'text'}
              value={values[field] ?? ''}
              onChange={(text) => setValues((before) => ({ ...before, [field]: text }))}
            />
          ),
        )}
        <DialogActions>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" kind="primary" type="submit" busy={save.isPending && 'Saving'}>
            Save and test
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
