import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** Stored bytes that cannot be opened: the row was changed or moved, or its master key was removed too early. For the log. */
export class SealFault extends Error {
  constructor(what: string, problem: string) {
    super(`${what} cannot be opened (${problem}).`);
    this.name = 'SealFault';
  }
}

/** A value sealed with a master key, and the id of that key. */
export type SealedValue = { sealed: Buffer; keyId: string };

/** The row a value belongs to; authenticated, so that bytes copied to another row do not open. */
export type SealedRow = { partnerId: string; place: string };

export type Sealer = {
  /** Seals a text with the newest master key. */
  seal(row: SealedRow, plain: string): SealedValue;
  /** Opens a text with the key named, or with any key of the ring for null. Throws `SealFault`. */
  open(row: SealedRow, sealed: Uint8Array, keyId: string | null): string;
  newestKeyId: string;
};

/** Creates the sealer of one kind of value. `use` is authenticated with each value; `describe` names a row in the log. */
export function createSealer(ring: KeyRing, kind: { use: string; describe: (row: SealedRow) => string }): Sealer {
  const contextOf = ({ partnerId, place }: SealedRow) => ({ use: kind.use, partnerId, place });
  return {
    newestKeyId: ring[0].id,
    seal(row, plain) {
      const { masterKeyId, sealed } = sealDirect(ring, contextOf(row), Buffer.from(plain), randomBytes(NONCE_BYTES));
      return { sealed, keyId: masterKeyId };
    },
    open(row, sealed, keyId) {
      let problem = 'unknown_master_key';
      for (const id of keyId === null ? ring.map((key) => key.id) : [keyId]) {
        const opened = openDirect(ring, contextOf(row), id, sealed);
        if (opened.ok) return Buffer.from(opened.bytes).toString('utf8');
        problem = opened.problem;
      }
      throw new SealFault(kind.describe(row), problem);
    },
  };
}
