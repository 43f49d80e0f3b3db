import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/credential.ts';
import { api, formApi } from '../../app/api.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { checkText } from './check-text.ts';
import type { ServiceView } from './services-queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const LABELS: Record<string, MessageKey> = {
  apiKey: 'client.field.apiKey',
  accountSid: 'client.field.accountSid',
  authToken: 'client.field.authToken',
  host: 'client.field.host',
  port: 'client.field.port',
  database: 'client.field.database',
  user: 'client.field.user',
  password: 'client.field.password',
};

/** Saves the client's own credential and tests it. It is write-only. */
export function KeyDialog({ view: { provider }, onClose }: { view: ServiceView; onClose: () => void }) {
  const messages = useMessages();
  const { t } = messages;
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
      announce(
        t('client.keyIsSaved', { service: name }),
        test ? { detail: test.ok ? t('client.keyAccepted', { service: name }) : checkText(messages, name, test) } : {},
      );
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('client.ownKeyTitle', { service: name })}>
      <Form form={form} className="mt-2 grid gap-4">
        <p className="text-ink-2">{t('client.ownKeyLead')}</p>
        {Object.entries(fields).map(([field, kind]) =>
          kind === 'flag' ? (
            <Checkbox
              key={field}
              label={t('client.tls')}
              hint={t('client.tlsHint')}
              checked={form.values[field] === true}
              onChange={(event) => form.set({ [field]: event.target.checked })}
            />
          ) : (
            <TextField
              key={field}
              label={labelOf(field, t)}
              note={kind === 'port' ? t('client.defaultPort') : t('client.required')}
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
            {t('common.cancel')}
          </Button>
          <Button size="lg" kind="primary" type="submit" busy={form.isBusy && t('client.saving')}>
            {t('client.saveAndTest')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function labelOf(field: string, t: Messages['t']): string {
  const key = LABELS[field];
  return key === undefined ? field : t(key);
}

/** Drops empty fields: an empty port means the default. */
function filled(data: Record<string, string | boolean>): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''));
}
