import { CERTIFICATE_DAYS } from '@partner-portal/core/alert/alert.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { ConnectionForm } from './connection-form.tsx';
import { OwnKeys } from './own-keys.tsx';
import { CopyValue } from './provider-guide.tsx';
import { ProviderReading } from './provider-reading.tsx';
import { type Connection, PROTOCOL } from './queries.ts';
import { ReplaceSecret } from './replace-secret.tsx';
import { TestLogin } from './test-login.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

const LOCKED = 'Turn off enforcement first: a mistake here could lock out your whole team.';
const SOON_MS = CERTIFICATE_DAYS * 86_400_000;

/** The SSO connection and its state. */
export function ConnectionPanel({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const [isEditing, setEditing] = useState(false);
  const { configured, status } = connection;
  const isForm = !configured || isEditing;
  return (
    <Panel
      title="Connection"
      aside={
        !configured ? (
          <Badge>Not set up</Badge>
        ) : status === 'verified' ? (
          <Badge mark="ok">Verified</Badge>
        ) : (
          <Badge mark="warn">Draft</Badge>
        )
      }
    >
      {isForm ? (
        <ConnectionForm connection={connection} refusal={refusal} onDone={configured ? () => setEditing(false) : undefined} />
      ) : (
        <Standing connection={connection} refusal={refusal} onChange={() => setEditing(true)} />
      )}
    </Panel>
  );
}

function Standing({ connection, refusal, onChange }: { connection: Connection; refusal: string | undefined; onChange: () => void }) {
  const { protocol, enforced, certificateExpiresAt } = connection;
  const reason = refusal ?? (enforced ? LOCKED : undefined);
  const leftMs = certificateExpiresAt === null ? Infinity : Date.parse(certificateExpiresAt) - Date.now();
  const isEnding = leftMs < SOON_MS;
  return (
    <div className="grid gap-4">
      {connection.metadataProblem ? (
        <Note tone="warn">
          <b>We could not read your provider{protocol === 'saml' ? '’s metadata' : null}.</b> {connection.metadataProblem}{' '}
          {protocol === 'saml' ? 'We keep using what we read before.' : 'Logins fail while it cannot be read.'}
        </Note>
      ) : null}
      {isEnding ? (
        <Note tone="warn">
          <b>{leftMs < 0 ? 'The certificate of your provider has expired.' : 'The certificate of your provider expires soon.'}</b> Logins
          continue until your provider signs with a certificate its metadata does not list. Have it add the next one
          {connection.metadataUrl ? '; we read its metadata every day.' : ', then paste its metadata again.'}
        </Note>
      ) : null}
      {protocol === 'saml' && connection.isWithoutHttps ? (
        <Note tone="warn">This portal is opened without https: SAML logins work only with a provider on the same host.</Note>
      ) : null}
      {connection.vouchesForEmails ? <Note tone="warn">We accept addresses that your provider does not report as verified.</Note> : null}
      {connection.allowsSha1 ? <Note tone="warn">We accept signatures with SHA-1, although they can be forged.</Note> : null}
      <KeyValues
        rows={[
          ['Protocol', protocol ? PROTOCOL[protocol] : '–'],
          connection.issuer ? ['Issuer', <Whole key="i" text={connection.issuer} />] : undefined,
          connection.clientId ? ['Client ID', <Whole key="c" text={connection.clientId} />] : undefined,
          protocol === 'oidc' ? ['Client secret', 'saved, never shown'] : undefined,
          protocol === 'saml' ? ['Metadata', <Whole key="m" text={connection.metadataUrl ?? 'pasted; it is not read again'} />] : undefined,
          ['E-mail domains', <Whole key="d" text={connection.emailDomains.join(', ')} />],
          certificateExpiresAt
            ? [
                leftMs < 0 ? 'Certificate expired' : 'Certificate expires',
                <span key="e" className={isEnding ? 'text-warn' : undefined}>
                  <Time iso={certificateExpiresAt} />
                </span>,
              ]
            : undefined,
          connection.metadataValidUntil ? ['Metadata valid until', <Time key="u" iso={connection.metadataValidUntil} />] : undefined,
          protocol === 'saml' && !connection.metadataUrl
            ? undefined
            : ['Provider read', <ProviderReading key="r" connection={connection} refusal={refusal} />],
          ['Log-out', connection.logsOut ? logoutOf(connection) : 'here only'],
          ['Verified', connection.verifiedAt ? <Time key="v" iso={connection.verifiedAt} /> : 'not yet'],
          ['Last SSO login', connection.lastLoginAt ? <Time key="l" iso={connection.lastLoginAt} /> : 'none yet'],
        ]}
      />
      <TestLogin connection={connection} refusal={refusal} />
      <section className="grid gap-2 border-t border-line-soft pt-4">
        <p className="text-ink-2">Your team logs in here, or with “Use single sign-on” on the login page:</p>
        <CopyValue label="Login address of your team" value={connection.loginUrl} />
        <details>
          <summary className="link min-h-8 cursor-pointer py-1.5">Values for your provider</summary>
          {protocol === 'saml' ? (
            <>
              <CopyValue label="Entity ID and metadata" value={connection.entityId} />
              <CopyValue label="Assertion Consumer Service (ACS)" value={connection.acsUrl} />
              {connection.logsOut ? <CopyValue label="Single log-out (HTTP-Redirect)" value={connection.logoutUrl} /> : null}
            </>
          ) : (
            <>
              <CopyValue label="Redirect address" value={connection.callbackUrl} />
              {connection.logsOut ? <CopyValue label="Redirect address after log-out" value={connection.logoutUrl} /> : null}
            </>
          )}
        </details>
      </section>
      {protocol === 'saml' ? <OwnKeys connection={connection} refusal={refusal} /> : null}
      {protocol === 'oidc' && enforced ? <ReplaceSecret refusal={refusal} /> : null}
      <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft pt-4">
        <RemoveConnection reason={reason} />
        <Button disabledReason={reason} onClick={onChange}>
          Change
        </Button>
      </div>
    </div>
  );
}

function logoutOf({ providerLogsOut }: Connection): string {
  return providerLogsOut ? 'here and at the provider' : 'here only: your provider names no address for it';
}

/** A long value that wraps. */
function Whole({ text }: { text: string }) {
  return <span className="inline-block py-1.25 leading-5 whitespace-normal">{text}</span>;
}

function RemoveConnection({ reason }: { reason: string | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteSsoConnection(),
    onSuccess: () => {
      setAsking(false);
      announce('Connection removed.');
    },
    onError: (error) => {
      setAsking(false);
      announceError(error);
    },
    onSettled: () => refreshAfter('ssoConnectionChanged'),
  });
  return (
    <>
      <Button kind="danger-text" disabledReason={reason} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the connection?"
        action="Remove connection"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <p>
          No one can log in through your provider anymore; <b>your team logs in with passwords</b>. Members without a password request one
          under “Forgot your password?”. Open sessions stay.
        </p>
      </ConfirmDialog>
    </>
  );
}
