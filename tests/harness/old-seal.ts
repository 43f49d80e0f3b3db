import { createCipheriv, randomBytes } from 'node:crypto';
import type { KeyRing, SecretContext } from '@partner-portal/core/credential/vault.ts';

/** Seals a secret as versions before data keys did: with the master key itself. Written out here, since the service no longer seals so. */
export function sealAsBefore(
  [{ id, key }]: KeyRing,
  { use, partnerId, place }: SecretContext,
  plain: string,
): { sealed: Buffer; keyId: string } {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(JSON.stringify(['direct', use, partnerId, place, id])));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { sealed: Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body]), keyId: id };
}
