import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createSealer } from '#platform/sealed-value.ts';

/** A secret of an authenticator app as stored: sealed with a master key, bound to its user. */
export type SealedTotp = { secretSealed: Buffer; masterKeyId: string };
type Owner = { userId: string; partnerId: string };

const sealer = (ring: KeyRing) => createSealer(ring, { use: 'totp', describe: ({ place }) => `The authenticator secret of user ${place}` });
const rowOf = ({ userId, partnerId }: Owner) => ({ partnerId, place: userId });

/** Seals a base32 secret with the newest master key. */
export function sealTotp(ring: KeyRing, owner: Owner, secret: string): SealedTotp {
  const { sealed, keyId } = sealer(ring).seal(rowOf(owner), secret);
  return { masterKeyId: keyId, secretSealed: sealed };
}

/** Returns the secret in base32. Throws `SealFault`. */
export function openTotp(ring: KeyRing, owner: Owner, { masterKeyId, secretSealed }: SealedTotp): string {
  return sealer(ring).open(rowOf(owner), secretSealed, masterKeyId);
}
