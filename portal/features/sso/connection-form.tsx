import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Form, FormErrors } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { WriteOnlyField } from '../../ui/forms/write-only-field.tsx';
import { LogoutOption, OidcOptions, SamlOptions } from './connection-options.tsx';
import { DomainChips } from './domain-chips.tsx';
import { withDomains } from './domains.ts';
import { isPasted, MetadataFields, type MetadataSource } from './metadata-fields.tsx';
import { ProviderGuide } from './provider-guide.tsx';
import { type ProviderKind, PROVIDERS } from './guide-values.ts';
import { guideOf, PROVIDER_LABELS } from './provider-steps.ts';
import { type Connection, PROTOCOL, type Protocol, setConnection } from './queries.ts';

type Props = { connection: Connection; refusal: string | undefined; onDone: (() => void) | undefined };
type Values = {
  protocol: Protocol;
  issuer: string;
  clientId: string;
  clientSecret: string;
  metadataUrl: string;
  /** Of SAML: where the metadata comes from. */
  source: MetadataSource;
  metadataXml: string;
  emailDomains: string[];
  typedDomain: string;
  vouchesForEmails: boolean;
  allowsSha1: boolean;
  signsRequests: boolean;
  logsOut: boolean;
};

/** Form for an SSO connection with a guide for the provider. Saves a draft. */
export function ConnectionForm({ connection, refusal, onDone }: Props) {
  const [provider, setProvider] = useState<ProviderKind>('other');
  const form = useForm<Values, Connection>({
    saved: {
      protocol: connection.protocol ?? PROVIDER_LABELS.other.protocol,
      issuer: connection.issuer ?? '',
      clientId: connection.clientId ?? '',
      clientSecret: '',
      metadataUrl: connection.metadataUrl ?? '',
      source: connection.protocol === 'saml' && !connection.metadataUrl ? 'document' : 'address',
      metadataXml: '',
      emailDomains: connection.emailDomains,
      typedDomain: '',
      vouchesForEmails: connection.vouchesForEmails,
      allowsSha1: connection.allowsSha1,
      signsRequests: connection.signsRequests,
      logsOut: connection.logsOut,
    },
    check: ({ emailDomains, typedDomain }) => {
      const { bad } = withDomains(emailDomains, typedDomain);
      return bad ? { emailDomains: `${bad} is not a domain such as example.com.` } : {};
    },
    send: (values) =>
      formApi.putSsoConnection({
        body: bodyOf(values),
        // The second of two first saves matches nothing.
        headers: { 'if-match': `"${connection.updatedAt ?? new Date(0).toISOString()}"` },
      }),
    onSaved: (saved) => {
      setConnection(saved);
      announce('Connection saved as a draft. Run a test login to verify it.');
      onDone?.();
    },
  });
  const { values, set, errors } = form;
  const isOff = refusal !== undefined;
  return (
    <Form form={form} hasSummary={false}>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <Field label="Provider" className="w-full max-w-65">
          {(ids) => (
            <Select
              {...ids}
              label="Provider"
              value={provider}
              options={PROVIDERS.map((value) => ({ value, label: PROVIDER_LABELS[value].name }))}
              onChange={(picked) => {
                const kind = PROVIDERS.find((one) => one === picked) ?? 'other';
                setProvider(kind);
                set({ protocol: PROVIDER_LABELS[kind].protocol });
              }}
            />
          )}
        </Field>
        <div className="pb-0.5">
          <Segmented
            label="Protocol"
            value={values.protocol}
            onChange={(protocol) => set({ protocol })}
            options={[
              { value: 'oidc', label: PROTOCOL.oidc },
              { value: 'saml', label: PROTOCOL.saml },
            ]}
          />
        </div>
      </div>
      <section className="grid gap-3 border-y border-line-soft py-4">
        <h3 className="text-xs font-medium text-ink-3">At {provider === 'other' ? 'your provider' : PROVIDER_LABELS[provider].name}</h3>
        <ProviderGuide guide={guideOf(provider, values.protocol, connection)} />
      </section>
      {values.protocol === 'saml' && connection.isWithoutHttps ? (
        <Note tone="warn">
          This portal is opened without https. Browsers then send the cookie of a SAML login only to a provider on the same host, and every
          other login fails. Use https or OpenID Connect.
        </Note>
      ) : null}
      <FormErrors form={form} />
      {values.protocol === 'oidc' ? (
        <OidcFields values={values} set={set} errors={errors} connection={connection} isOff={isOff} />
      ) : (
        <MetadataFields values={values} set={set} errors={errors} isKept={isPasted(connection)} refusal={refusal} />
      )}
      <DomainChips
        domains={values.emailDomains}
        typed={values.typedDomain}
        onChange={(emailDomains, typedDomain) => set({ emailDomains, typedDomain })}
        error={errors['emailDomains']}
        disabled={isOff}
      />
      {values.protocol === 'oidc' ? (
        <OidcOptions values={values} disabled={isOff} onChange={set} />
      ) : (
        <SamlOptions values={values} disabled={isOff} onChange={set} />
      )}
      <LogoutOption values={values} disabled={isOff} onChange={set} />
      <div className="flex flex-wrap justify-end gap-2">
        {onDone ? <Button onClick={onDone}>Cancel</Button> : null}
        <Button kind="primary" type="submit" disabledReason={refusal} busy={form.isBusy && 'Checking your provider'}>
          Save connection
        </Button>
      </div>
    </Form>
  );
}

type FieldsProps = {
  values: Values;
  set: (change: Partial<Values>) => void;
  errors: Record<string, string>;
  connection: Connection;
  isOff: boolean;
};

function OidcFields({ values, set, errors, connection, isOff }: FieldsProps) {
  return (
    <>
      <TextField
        label="Issuer"
        note="required"
        hint="The URL that identifies your provider. We discover the rest from it."
        error={errors['issuer']}
        type="url"
        placeholder="https://"
        disabled={isOff}
        value={values.issuer}
        onChange={(text) => set({ issuer: text })}
      />
      <TextField
        label="Client ID"
        note="required"
        error={errors['clientId']}
        mono
        autoComplete="off"
        spellCheck={false}
        disabled={isOff}
        value={values.clientId}
        onChange={(text) => set({ clientId: text })}
      />
      <WriteOnlyField
        label="Client secret"
        savedAt={connection.protocol === 'oidc' ? 'unknown' : undefined}
        value={values.clientSecret}
        onChange={(clientSecret) => set({ clientSecret })}
        error={errors['clientSecret']}
        disabled={isOff}
      />
    </>
  );
}

function bodyOf({
  protocol,
  issuer,
  clientId,
  clientSecret,
  metadataUrl,
  metadataXml,
  source,
  emailDomains: taken,
  typedDomain,
  ...options
}: Values) {
  const emailDomains = withDomains(taken, typedDomain).domains;
  const { vouchesForEmails, allowsSha1, signsRequests, logsOut } = options;
  if (protocol === 'saml') {
    // A document that was pasted before is kept.
    const metadata = source === 'address' ? { metadataUrl } : metadataXml.trim() ? { metadataXml } : {};
    return { protocol, ...metadata, emailDomains, allowsSha1, signsRequests, logsOut };
  }
  return { protocol, issuer, clientId, emailDomains, vouchesForEmails, logsOut, ...(clientSecret ? { clientSecret } : {}) };
}
