import { formatUtc } from '../../ui/text/format.ts';
import { SecretOnceDialog } from './secret-once.tsx';
import type { Registration } from './queries.ts';
import { VerifySnippet } from '../../shared/verify-snippet.tsx';
import { hostOf } from './words.ts';

type Props = { registration: Registration; isRotation?: boolean; onDone: () => void; onLeave: () => void };

/** The signing secret of a new endpoint, once, and how to check signatures with it. */
export function EndpointSecret({ registration, isRotation, onDone, onLeave }: Props) {
  const { url, secret, createdAt } = registration;
  return (
    <SecretOnceDialog
      title={isRotation ? 'The new signing secret' : 'Endpoint added'}
      intro={
        isRotation ? (
          <>Give it to your receiver beside the old one: until the old endpoint is removed, each event comes twice, signed with either.</>
        ) : (
          <>
            Your receiver checks each event with this signing secret, so that nobody else can send it one. The whole text is the key,{' '}
            <code>whsec_</code> included.
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
          ? 'The new endpoint sends already. Without its secret you remove it and begin again.'
          : 'It cannot be shown again. You would remove this endpoint and add it anew.'
      }
      onDone={onDone}
      onLeave={onLeave}
    >
      <details className="mt-4" open={!isRotation}>
        <summary className="mb-2 font-medium">Check a signature</summary>
        <VerifySnippet />
      </details>
    </SecretOnceDialog>
  );
}
