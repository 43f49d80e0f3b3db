import { hash, verify } from '@node-rs/argon2';

/** Hashes and verifies passwords. Injected, so that tests can count calls. */
export type Hasher = {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
};

const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id (2 in the library) with 19 MiB, two passes and one lane: the OWASP minimum for a login service. */
export const argon2Hasher: Hasher = {
  hash: (password) => hash(password, ARGON2ID),
  // A malformed hash is a wrong password, so callers cannot distinguish it.
  verify: (passwordHash, password) => verify(passwordHash, password).catch(() => false),
};
