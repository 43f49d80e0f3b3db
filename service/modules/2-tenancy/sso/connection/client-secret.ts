import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** A stored client secret: sealed with a master key, bound to its partner. */
export type SealedSecret = { clientSecretSealed: Buffer; secretKeyId: string };

const contextOf = (partnerId: string) => ({ use: 'sso-client-secret', partnerId, place: 'connection' });

export function sealClientSecret(ring: KeyRing, partnerId: string, secret: string): SealedSecret {
  const { masterKeyId, sealed } = sealDirect(ring, contextOf(partnerId), Buffer.from(secret), randomBytes(NONCE_BYTES));
  return { clientSecretSealed: sealed, secretKeyId: masterKeyId };
}

/** The stored secret cannot be opened. For the log. */
export class ClientSecretFault extends Error {
  constructor(partnerId: string, problem: string) {
    super(`The client secret of partner ${partnerId} cannot be opened (${problem}).`);
    this.name = 'ClientSecretFault';
  }
}

/** Returns the secret. Throws `ClientSecretFault` when it was moved or changed, or its master key was removed. */
export function openClientSecret(ring: KeyRing, partnerId: string, { clientSecretSealed, secretKeyId }: SealedSecret): string {
  const opened = openDirect(ring, contextOf(partnerId), secretKeyId, clientSecretSealed);
  if (!opened.ok) throw new ClientSecretFault(partnerId, opened.problem);
  return Buffer.from(opened.bytes).toString('utf8');
}
