import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import { api, formApi } from '../../app/api.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
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
  const saved: Record<string, string | boolean> = Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, kind === 'flag' ? true : '']),
  );
  const form = useForm({
    saved,
    send: async (data) => {
      try {
        await formApi.putCredential({ params: { provider }, body: { sourceMode: 'byok', data: filled(data) } });
        return await api.testCredential({ params: { provider } }).catch(() => undefined);
      } finally {
        void refreshAfter('clientCredentialsChanged');
      }
    },
    onSaved: (test) => {
      announce(`Your ${name} key is saved.`, test ? { detail: test.ok ? `${name} accepts it.` : test.message } : {});
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Your own ${name} key`}>
      <Form form={form} className="mt-2 grid gap-4">
        <p className="text-ink-2">Your key is stored encrypted and never shown again. Your agents use it from their next task.</p>
        {Object.entries(fields).map(([field, kind]) =>
          kind === 'flag' ? (
            <Checkbox
              key={field}
              label="Connect with TLS"
              hint="Leave this on unless your database does not support it."
              checked={form.values[field] === true}
              onChange={(event) => form.set({ [field]: event.target.checked })}
            />
          ) : (
            <TextField
              key={field}
              label={LABELS[field] ?? field}
              note={kind === 'port' ? 'default 5432' : 'required'}
              data-field={field}
              error={form.errors[field]}
              size="lg"
              mono
              type={kind === 'secret' ? 'password' : 'text'}
              autoComplete="off"
              spellCheck={false}
              required={kind !== 'port'}
              inputMode={kind === 'port' ? 'numeric' : 'text'}
              value={String(form.values[field])}
              onChange={(text) => form.set({ [field]: text })}
            />
          ),
        )}
        <DialogActions>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" kind="primary" type="submit" busy={form.isBusy && 'Saving'}>
            Save and test
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Drops empty fields: an empty port means the default. */
function filled(data: Record<string, string | boolean>): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''));
}
