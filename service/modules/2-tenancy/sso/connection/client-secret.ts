import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** A provider's client secret as it lies in the database: sealed with a master key, bound to its agency. */
export type SealedSecret = { clientSecretSealed: Buffer; secretKeyId: string };

const contextOf = (partnerId: string) => ({ use: 'sso-client-secret', partnerId, place: 'connection' });

export function sealClientSecret(ring: KeyRing, partnerId: string, secret: string): SealedSecret {
  const { masterKeyId, sealed } = sealDirect(ring, contextOf(partnerId), Buffer.from(secret), randomBytes(NONCE_BYTES));
  return { clientSecretSealed: sealed, secretKeyId: masterKeyId };
}

/** The row holds bytes that do not open. For the log. */
export class ClientSecretFault extends Error {
  constructor(partnerId: string, problem: string) {
    super(`The client secret of partner ${partnerId} does not open (${problem}).`);
    this.name = 'ClientSecretFault';
  }
}

/** The secret; throws `ClientSecretFault` for bytes that were moved or changed, or whose master key left the ring. */
export function openClientSecret(ring: KeyRing, partnerId: string, { clientSecretSealed, secretKeyId }: SealedSecret): string {
  const opened = openDirect(ring, contextOf(partnerId), secretKeyId, clientSecretSealed);
  if (!opened.ok) throw new ClientSecretFault(partnerId, opened.problem);
  return Buffer.from(opened.bytes).toString('utf8');
}
