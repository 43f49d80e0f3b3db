import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Seal = {
  seal: (value: unknown, context: string) => Buffer;
  /** Throws when the bytes were changed, or sealed for another context. */
  open: (sealed: Buffer, context: string) => unknown;
};

/** AES-256-GCM over JSON; `context` (project and external id) is bound, so that a value moved to another row does not open. */
export function createSeal(keyBase64: string): Seal {
  const key = Buffer.from(keyBase64, 'base64');
  return {
    seal: (value, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, context) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(body.toString('utf8'));
    },
  };
}
