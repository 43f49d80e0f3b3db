import type { KeyRing } from '@partner-portal/core/credential/vault.ts';

/** Master keys of the tests, before and after a new one was added. */
export const OLD_RING: KeyRing = [{ id: 'old', key: Buffer.alloc(32, 1) }];
export const BOTH_RING: KeyRing = [{ id: 'new', key: Buffer.alloc(32, 2) }, ...OLD_RING];
