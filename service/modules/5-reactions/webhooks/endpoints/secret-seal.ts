import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** Whose secret it is; part of the seal, so bytes moved to another endpoint or agency do not open. */
export type SealedFor = { id: string; partnerId: string };

export type SecretSeal = {
  /** Seals a signing secret with the newest master key, whose id belongs beside it (`newestKeyId`). */
  seal(endpoint: SealedFor, secret: string): Buffer;
  /** Opens what was sealed for this endpoint by any key of the ring. Throws `SecretSealFault`. */
  open(endpoint: SealedFor, sealed: Uint8Array): string;
  newestKeyId: string;
};

/** A signing secret that does not open: a moved or changed row, or a master key that left the ring too early. For the log. */
export class SecretSealFault extends Error {
  constructor(endpointId: string) {
    super(`The signing secret of the webhook endpoint ${endpointId} does not open.`);
    this.name = 'SecretSealFault';
  }
}

const USE = 'webhook-secret';

/** Signing secrets are sealed by the master key itself: five small values per agency need no data key of their own. */
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

/** A fresh signing secret. The whole text is the HMAC key. Source: specification, Outbound webhook signing. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
