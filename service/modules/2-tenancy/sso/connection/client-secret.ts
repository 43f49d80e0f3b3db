import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createSealer } from '#platform/sealed-value.ts';

/** An identity provider's client secret as stored: sealed with a master key, bound to its partner. */
export type SealedSecret = { clientSecretSealed: Buffer; secretKeyId: string };

const sealer = (ring: KeyRing) =>
  createSealer(ring, { use: 'sso-client-secret', describe: ({ partnerId }) => `The client secret of partner ${partnerId}` });
const rowOf = (partnerId: string) => ({ partnerId, place: 'connection' });

/** Seals a client secret with the newest master key. */
export function sealClientSecret(ring: KeyRing, partnerId: string, secret: string): SealedSecret {
  const { sealed, keyId } = sealer(ring).seal(rowOf(partnerId), secret);
  return { clientSecretSealed: sealed, secretKeyId: keyId };
}

/** Returns the client secret. Throws `SealFault`. */
export function openClientSecret(ring: KeyRing, partnerId: string, { clientSecretSealed, secretKeyId }: SealedSecret): string {
  return sealer(ring).open(rowOf(partnerId), clientSecretSealed, secretKeyId);
}
