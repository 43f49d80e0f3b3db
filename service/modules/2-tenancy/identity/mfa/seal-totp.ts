import { randomBytes } from 'node:crypto';
import { type DirectContext, type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** A stored authenticator secret: sealed with a master key, bound to its user. */
export type SealedTotp = { secretSealed: Buffer; masterKeyId: string };
type Owner = { userId: string; partnerId: string };

/** The stored secret cannot be opened: moved, changed, or its master key was removed. For the log. */
export class TotpFault extends Error {
  constructor(userId: string, problem: string) {
    super(`The authenticator secret of user ${userId} cannot be opened (${problem}).`);
    this.name = 'TotpFault';
  }
}

export function sealTotp(ring: KeyRing, owner: Owner, secret: string): SealedTotp {
  const { masterKeyId, sealed } = sealDirect(ring, contextOf(owner), Buffer.from(secret), randomBytes(NONCE_BYTES));
  return { masterKeyId, secretSealed: sealed };
}

/** Returns the secret in base32. Throws `TotpFault`. */
export function openTotp(ring: KeyRing, owner: Owner, { masterKeyId, secretSealed }: SealedTotp): string {
  const opened = openDirect(ring, contextOf(owner), masterKeyId, secretSealed);
  if (!opened.ok) throw new TotpFault(owner.userId, opened.problem);
  return Buffer.from(opened.bytes).toString();
}

function contextOf({ userId, partnerId }: Owner): DirectContext {
  return { use: 'totp', partnerId, place: userId };
}
