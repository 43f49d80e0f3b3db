import { randomBytes } from 'node:crypto';
import type { CredentialData, StoredProvider } from '@partner-portal/core/credential/credential.ts';
import {
  KEY_BYTES,
  type KeyRing,
  NONCE_BYTES,
  openDataKey,
  openValue,
  sealDataKey,
  sealValue,
} from '@partner-portal/core/credential/vault.ts';
import type { Tx } from '#platform/db/tx.ts';
import { SealFault } from '#platform/sealed-value.ts';
import { addDataKey, type CredentialRow, type DataKeyRow, type SealedDataKey, type Slot } from '../store.ts';

/** Seals and opens values: supplies the randomness and master keys that core/credential/vault.ts takes as arguments. */
export type Sealing = {
  /** Seals a value for its slot and version; creates the partner's data key with its first save. */
  seal(tx: Tx, slot: Slot, keyVersion: number, data: object, known: DataKeyRow | undefined): Promise<Buffer>;
  /** Opens a stored value. Throws `SealFault` when it was not sealed for exactly this row. */
  open<P extends StoredProvider>(row: CredentialRow & { provider: P }, dataKey: Partial<DataKeyRow>): CredentialData[P];
  /** Returns the same data key sealed by the newest master key. Throws `SealFault` when its master key is not in the ring. */
  rewrap(key: SealedDataKey): SealedDataKey;
  newestKeyId: string;
};

export function createSealing(ring: KeyRing): Sealing {
  const openKey = (partnerId: string, key: DataKeyRow): Uint8Array => {
    const opened = openDataKey(ring, { partnerId, masterKeyId: key.masterKeyId }, key.sealedKey);
    if (!opened.ok) throw new SealFault(`The data key of partner ${partnerId}`, opened.problem);
    return opened.bytes;
  };
  const freshKey = (partnerId: string): DataKeyRow => {
    const { masterKeyId, sealed } = sealDataKey(ring, partnerId, randomBytes(KEY_BYTES), randomBytes(NONCE_BYTES));
    return { masterKeyId, sealedKey: sealed };
  };
  return {
    newestKeyId: ring[0].id,
    async seal(tx, slot, keyVersion, data, known) {
      const dataKey = openKey(slot.partnerId, known ?? (await addDataKey(tx, slot.partnerId, freshKey(slot.partnerId))));
      return sealValue(dataKey, { ...slot, keyVersion }, Buffer.from(JSON.stringify(data)), randomBytes(NONCE_BYTES));
    },
    open(row, { sealedKey, masterKeyId }) {
      const what = `The ${row.provider} credential ${row.id}`;
      if (!row.sealed || !sealedKey || !masterKeyId) throw new SealFault(what, 'nothing_stored');
      const opened = openValue(openKey(row.partnerId, { sealedKey, masterKeyId }), row, row.sealed);
      if (!opened.ok) throw new SealFault(what, opened.problem);
      return JSON.parse(Buffer.from(opened.bytes).toString('utf8')); // authentic, hence exactly what a checked save stored
    },
    rewrap(key) {
      const { masterKeyId, sealed } = sealDataKey(ring, key.partnerId, openKey(key.partnerId, key), randomBytes(NONCE_BYTES));
      return { ...key, masterKeyId, sealedKey: sealed };
    },
  };
}
