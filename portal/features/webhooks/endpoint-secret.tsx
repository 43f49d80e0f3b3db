import { formatUtc, hostOf } from '../../ui/text/format.ts';
import { SecretOnceDialog } from './secret-once.tsx';
import type { Registration } from './queries.ts';
import { VerifySnippet } from '../../shared/verify-snippet.tsx';

type Props = { registration: Registration; isRotation?: boolean; onDone: () => void; onLeave: () => void };

/** Shows the signing secret of a new endpoint once, with a verification snippet. */
export function EndpointSecret({ registration, isRotation, onDone, onLeave }: Props) {
  const { url, secret, createdAt } = registration;
  return (
    <SecretOnceDialog
      title={isRotation ? 'The new signing secret' : 'Endpoint added'}
      intro={
        isRotation ? (
          <>
            Add it to your receiver beside the old one. Until you remove the old endpoint, each event arrives twice, signed with each
            secret.
          </>
        ) : (
          <>
            Use this secret to verify that events come from us. The whole string is the key, including <code>whsec_</code>.
          </>
        )
      }
      label="Signing secret"
      secret={secret}
      file={{
        name: `webhook-secret-${hostOf(url).replaceAll(/[^a-z0-9.-]/gi, '-')}.txt`,
        text: `Endpoint: ${url}\nSigning secret: ${secret}\nAdded: ${formatUtc(createdAt)}\n`,
      }}
      loss={
        isRotation
          ? 'The new endpoint is already active. Without its secret you have to remove it and start again.'
          : 'We cannot show it again. If you lose it, you have to remove this endpoint and add it again.'
      }
      onDone={onDone}
      onLeave={onLeave}
    >
      <details className="mt-4" open={!isRotation}>
        <summary className="mb-2 font-medium">Verify a signature</summary>
        <VerifySnippet />
      </details>
    </SecretOnceDialog>
  );
}
