import { createHash, randomBytes } from 'node:crypto';

/** Returns a token for a link, state or code: 32 random bytes as base64url. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a token. The token is random, so the hash needs no salt. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
