import { hash, verify } from '@node-rs/argon2';

/** Turns passwords into hashes and compares them. Passed in, so that a test can count how often it is asked. */
export type Hasher = {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
};

const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id (2 in the library's list) with 19 MiB, two passes, one lane: the figures OWASP names as the minimum for a login service. */
export const argon2Hasher: Hasher = {
  hash: (password) => hash(password, ARGON2ID),
  // A stored text that is no hash is a wrong password to the caller, never an error that tells it from others.
  verify: (passwordHash, password) => verify(passwordHash, password).catch(() => false),
};
