import { normalizePassword } from '@partner-portal/core/people/password.ts';
import { hash, verify } from '@node-rs/argon2';

/** Hashes and verifies passwords, in their normalised form. Injected, so that tests can count calls. */
export type Hasher = {
  hash(password: string): Promise<string>;
  /** Returns false for a wrong password; `as_typed` for one that was hashed before passwords were normalised, so that it can be hashed again. */
  verify(passwordHash: string, password: string): Promise<boolean | 'as_typed'>;
};

export const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id (2 in the library) with 19 MiB, two passes and one lane: the OWASP minimum for a login service. */
export const argon2Hasher: Hasher = {
  hash: (password) => hash(normalizePassword(password), ARGON2ID),
  async verify(passwordHash, password) {
    const normalized = normalizePassword(password);
    if (await isRight(passwordHash, normalized)) return true;
    return normalized !== password && (await isRight(passwordHash, password)) ? 'as_typed' : false;
  },
};

/** A malformed hash is a wrong password, so callers cannot distinguish it. */
function isRight(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password).catch(() => false);
}
