import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import type { KeyField } from '@partner-portal/core/credential/credential.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { api, formApi } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { sslOf, TLS_CHOICES, type TlsChoice } from '../../shared/sql-tls.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { checkText } from './check-text.ts';
import type { ServiceView } from './services-queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const LABELS: { readonly [field: string]: MessageKey } = {
  apiKey: 'client.field.apiKey',
  accountSid: 'client.field.accountSid',
  authToken: 'client.field.authToken',
  host: 'client.field.host',
  port: 'client.field.port',
  database: 'client.field.database',
  user: 'client.field.user',
  password: 'client.field.password',
} satisfies Record<Exclude<KeyField, 'ssl'>, MessageKey>;

/** Saves the client's own credential and tests it. It is write-only. */
export function KeyDialog({ view: { provider }, onClose }: { view: ServiceView; onClose: () => void }) {
  const messages = useMessages();
  const { t } = messages;
  const { name } = PROVIDERS[provider];
  const { fields } = PROVIDER_RULES[provider];
  // `anyway`: also a key that the service refuses, in place of one that works.
  const saved: Record<string, string> = {
    anyway: '',
    ...Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, kind === 'tls' ? 'verify' : ''])),
    ...('ssl' in fields ? { ca: '' } : {}),
  };
  const form = useForm({
    saved,
    send: async ({ anyway, ...data }) => {
      try {
        const body = { sourceMode: 'byok', data: filled(data), onlyIfAccepted: anyway === '' } as const;
        const { lastCheck } = await formApi.putCredential({ params: { provider }, body });
        // Checked before it was saved.
        if (anyway === '' && lastCheck) return lastCheck;
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
          kind === 'tls' ? (
            <TlsFields key={field} values={form.values} set={form.set} error={form.errors[field]} />
          ) : (
            <TextField
              key={field}
              label={labelOf(field, t)}
              note={kind === 'port' ? t('client.defaultPort') : t('client.required')}
              data-field={field}
              error={form.errors[field]}
              size="lg"
              mono
              type={kind === 'key' || kind === 'password' ? 'password' : 'text'}
              autoComplete="off"
              spellCheck={false}
              required={kind !== 'port'}
              inputMode={kind === 'port' ? 'numeric' : 'text'}
              value={form.values[field] ?? ''}
              onChange={(text) => form.set({ [field]: text })}
            />
          ),
        )}
        {codeOf(form.error) === 'key_refused' ? (
          <div className="text-ink-2">
            <p>{t('client.anywayRisk', { service: name })}</p>
            <Button kind="quiet" size="sm" className="mt-1" onClick={() => form.sendNow({ anyway: 'yes' })}>
              {t('client.saveAnyway')}
            </Button>
          </div>
        ) : null}
        <DialogActions>
          <Button size="lg" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button size="lg" kind="primary" type="submit" busy={form.isBusy && t('ui.saving')}>
            {t('client.saveAndTest')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const TLS_LABELS: Record<TlsChoice, MessageKey> = {
  verify: 'client.tlsVerify',
  ca: 'client.tlsCa',
  any: 'client.tlsAny',
  off: 'client.tlsOff',
};

type TlsProps = { values: Record<string, string>; set: (part: Record<string, string>) => void; error: string | undefined };

function TlsFields({ values, set, error }: TlsProps) {
  const { t } = useMessages();
  const choice = choiceOf(values['ssl']);
  return (
    <>
      <Field label={t('client.tls')} error={choice === 'ca' ? undefined : error}>
        {(ids) => (
          <Select
            {...ids}
            size="lg"
            label={t('client.tls')}
            value={choice}
            options={TLS_CHOICES.map((value) => ({ value, label: t(TLS_LABELS[value]) }))}
            onChange={(ssl) => set({ ssl })}
          />
        )}
      </Field>
      {choice === 'ca' ? (
        <Field label={t('client.caCertificate')} note={t('client.required')} hint={t('client.caHint')} error={error}>
          {(ids) => (
            <TextArea
              {...ids}
              mono
              rows={6}
              required
              spellCheck={false}
              autoComplete="off"
              value={values['ca'] ?? ''}
              onChange={(event) => set({ ca: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      {choice === 'any' ? <Note tone="warn">{t('client.tlsAnyRisk')}</Note> : null}
      {choice === 'off' ? <Note tone="warn">{t('client.tlsOffRisk')}</Note> : null}
    </>
  );
}

function labelOf(field: string, t: Messages['t']): string {
  const key = LABELS[field];
  return key === undefined ? field : t(key);
}

/** Drops empty fields: an empty port means the default. */
function filled({ ssl, ca = '', ...data }: Record<string, string>) {
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''));
  return ssl === undefined ? given : { ...given, ssl: sslOf(choiceOf(ssl), ca) };
}

function choiceOf(value: string | undefined): TlsChoice {
  return TLS_CHOICES.find((choice) => choice === value) ?? 'verify';
}
