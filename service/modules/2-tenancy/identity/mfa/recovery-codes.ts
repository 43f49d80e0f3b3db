import { createHash, randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** Crockford's base32: nothing in it is mistaken for something else. 32 letters, so a byte's low five bits are one. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 16;

/** Ten codes of 80 random bits, in groups of four: `7K3D-M2QX-9WPA-C4TE`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

/** What is kept of a code. However it is typed: case, blanks and dashes are none of it, and O is 0, I and L are 1. */
export function hashRecoveryCode(userId: string, typed: string): Buffer {
  const plain = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return createHash('sha256').update(`${userId}:${plain}`).digest();
}

function newCode(): string {
  const letters = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
  return letters.match(/.{4}/g)?.join('-') ?? letters;
}
