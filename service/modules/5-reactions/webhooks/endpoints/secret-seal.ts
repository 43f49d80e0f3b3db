import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createSealer } from '#platform/sealed-value.ts';

/** Bound to the sealed value: bytes moved to another endpoint or partner do not open. */
export type SealedFor = { id: string; partnerId: string };

export type SecretSeal = {
  /** Seals a signing secret with the newest master key; store `newestKeyId` beside it. */
  seal(endpoint: SealedFor, secret: string): Buffer;
  /** Opens what was sealed for this endpoint by any key of the ring. Throws `SealFault`. */
  open(endpoint: SealedFor, sealed: Uint8Array): string;
  newestKeyId: string;
};

/** Creates the sealer of signing secrets: a few small values per partner need no data key of their own. */
export function createSecretSeal(ring: KeyRing): SecretSeal {
  const sealer = createSealer(ring, {
    use: 'webhook-secret',
    describe: ({ place }) => `The signing secret of the webhook endpoint ${place}`,
  });
  const rowOf = ({ id, partnerId }: SealedFor) => ({ partnerId, place: id });
  return {
    newestKeyId: sealer.newestKeyId,
    seal: (endpoint, secret) => sealer.seal(rowOf(endpoint), secret).sealed,
    open: (endpoint, sealed) => sealer.open(rowOf(endpoint), sealed, null),
  };
}

const SECRET_BYTES = 32;

/** Returns a new signing secret. The whole text is the HMAC key. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
