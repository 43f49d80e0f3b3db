import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** Bound to the sealed value: bytes moved to another endpoint or partner do not open. */
export type SealedFor = { id: string; partnerId: string };

export type SecretSeal = {
  /** Seals a signing secret with the newest master key; store `newestKeyId` beside it. */
  seal(endpoint: SealedFor, secret: string): Buffer;
  /** Opens a value sealed for this endpoint by any key of the ring. Throws `SecretSealFault`. */
  open(endpoint: SealedFor, sealed: Uint8Array): string;
  newestKeyId: string;
};

/** A signing secret could not be opened: a moved or changed row, or a master key removed from the ring too early. */
export class SecretSealFault extends Error {
  constructor(endpointId: string) {
    super(`The signing secret of the webhook endpoint ${endpointId} does not open.`);
    this.name = 'SecretSealFault';
  }
}

const USE = 'webhook-secret';

/** Signing secrets are sealed by the master key directly: five small values per partner need no data key. */
export function createSecretSeal(ring: KeyRing): SecretSeal {
  const placeOf = (endpoint: SealedFor) => ({ use: USE, partnerId: endpoint.partnerId, place: endpoint.id });
  return {
    newestKeyId: ring[0].id,
    seal: (endpoint, secret) => sealDirect(ring, placeOf(endpoint), Buffer.from(secret), randomBytes(NONCE_BYTES)).sealed,
    open(endpoint, sealed) {
      for (const { id } of ring) {
        const opened = openDirect(ring, placeOf(endpoint), id, sealed);
        if (opened.ok) return Buffer.from(opened.bytes).toString('utf8');
      }
      throw new SecretSealFault(endpoint.id);
    },
  };
}

const SECRET_BYTES = 32;

/** Returns a new signing secret. The whole text is the HMAC key. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
