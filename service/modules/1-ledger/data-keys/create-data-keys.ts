import { randomBytes } from 'node:crypto';
import {
  type DataKey,
  KEY_BYTES,
  type KeyRing,
  NONCE_BYTES,
  openDataKey,
  openDirect,
  sealDataKey,
  type SecretContext,
} from '@partner-portal/core/credential/vault.ts';
import type { Tx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { SealFault } from '#platform/seal-fault.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import { addDataKey, findDataKey, type NewDataKey, type SealedDataKey } from './store.ts';

/** Opens and creates the data keys of partners: supplies the master keys and randomness that core/credential/vault.ts takes as arguments. */
export type DataKeys = {
  /** Opens a partner's data key as a statement returned it. Throws `SealFault`. Nothing is cached: a destroyed key opens nowhere. */
  open(partnerId: string, row: Partial<DataKeyRow>): DataKey;
  /** Opens the data key, which is read unless `known` holds it, and is created in this transaction when there is none. Throws `SealFault`. */
  provide(tx: Tx, partnerId: string, known?: Partial<DataKeyRow>): Promise<DataKey>;
  /** Returns the same data key sealed by the newest master key. Throws `SealFault` when its master key is not in the ring. */
  rewrap(key: SealedDataKey): SealedDataKey;
  newestMasterKeyId: string;
  /** Opens a value of an earlier version, sealed by a master key. */
  openDirect(context: SecretContext, masterKeyId: string, sealed: Uint8Array): ReturnType<typeof openDirect>;
};

export function createDataKeys(ring: KeyRing): DataKeys {
  const openSealed = (partnerId: string, masterKeyId: string, sealedKey: Uint8Array): Uint8Array => {
    const opened = openDataKey(ring, { partnerId, masterKeyId }, sealedKey);
    if (!opened.ok) throw new SealFault(nameOf(partnerId), opened.problem);
    return opened.bytes;
  };
  const open: DataKeys['open'] = (partnerId, row) => {
    const { dataKeyId, dataKeySealed, dataKeyMasterId, dataKeyDestroyedAt } = row;
    if (dataKeyDestroyedAt) throw new SealFault(nameOf(partnerId), 'data_key_destroyed');
    if (!dataKeyId || !dataKeySealed || !dataKeyMasterId) throw new SealFault(nameOf(partnerId), 'data_key_missing');
    return { id: dataKeyId, key: openSealed(partnerId, dataKeyMasterId, dataKeySealed) };
  };
  const newKey = (partnerId: string): NewDataKey => {
    const { masterKeyId, sealed } = sealDataKey(ring, partnerId, randomBytes(KEY_BYTES), randomBytes(NONCE_BYTES));
    return { id: newId(), masterKeyId, sealedKey: sealed };
  };
  return {
    newestMasterKeyId: ring[0].id,
    openDirect: (context, keyId, sealed) => openDirect(ring, context, keyId, sealed),
    open,
    async provide(tx, partnerId, known) {
      const row = known ?? (await findDataKey(tx, partnerId));
      return open(partnerId, row?.dataKeyId ? row : await addDataKey(tx, partnerId, newKey(partnerId)));
    },
    rewrap({ id, partnerId, masterKeyId, sealedKey }) {
      const fresh = sealDataKey(ring, partnerId, openSealed(partnerId, masterKeyId, sealedKey), randomBytes(NONCE_BYTES));
      return { id, partnerId, masterKeyId: fresh.masterKeyId, sealedKey: fresh.sealed };
    },
  };
}

const nameOf = (partnerId: string): string => `The data key of partner ${partnerId}`;
