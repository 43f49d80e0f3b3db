import { createHash, randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** Crockford's base32, without ambiguous characters. 32 letters, so the low five bits of a byte select one. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 16;

/** Codes of 80 random bits, in groups of four: `7K3D-M2QX-9WPA-C4TE`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

/** Returns the stored hash of a code. Ignores case, spaces and dashes; O counts as 0, I and L as 1. */
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
