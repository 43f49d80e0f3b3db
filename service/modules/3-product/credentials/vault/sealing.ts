import { randomBytes } from 'node:crypto';
import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { NONCE_BYTES, openValue, sealValue } from '@partner-portal/core/credential/vault.ts';
import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import { SealFault } from '#platform/seal-fault.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import type { CredentialRow, Slot } from '../store.ts';

/** Seals and opens values under the data key of their partner. */
export type Sealing = {
  /** Seals a value for its slot and version; creates the partner's data key with its first value. */
  seal(tx: Tx, slot: Slot, keyVersion: number, data: object, known: DataKeyRow | undefined): Promise<Buffer>;
  /** Opens a stored value. Throws `SealFault` when it was not sealed for exactly this row. */
  open<P extends StoredProvider>(row: CredentialRow & { provider: P }, dataKey: Partial<DataKeyRow>): CredentialData[P];
};

export function createSealing(dataKeys: DataKeys): Sealing {
  return {
    async seal(tx, slot, keyVersion, data, known) {
      const { key } = await dataKeys.provide(tx, slot.partnerId, known);
      return sealValue(key, { ...slot, keyVersion }, Buffer.from(JSON.stringify(data)), randomBytes(NONCE_BYTES));
    },
    open(row, dataKey) {
      const what = `The ${row.provider} credential ${row.id}`;
      if (!row.sealed) throw new SealFault(what, 'nothing_stored');
      const opened = openValue(dataKeys.open(row.partnerId, dataKey).key, row, row.sealed);
      if (!opened.ok) throw new SealFault(what, opened.problem);
      return JSON.parse(Buffer.from(opened.bytes).toString('utf8')); // authentic, hence exactly what a checked save stored
    },
  };
}
