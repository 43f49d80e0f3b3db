import { randomBytes } from 'node:crypto';
import { NONCE_BYTES, openSecret, sealSecret } from '@partner-portal/core/credential/vault.ts';
import type { Tx } from '#platform/db/tx.ts';
import { SealFault } from '#platform/seal-fault.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import type { DataKeys } from './create-data-keys.ts';

/** A sealed value and the id of the key that sealed it: a data key, or in rows of earlier versions a master key. */
export type SealedValue = { sealed: Buffer; keyId: string };

/** The row a value belongs to; authenticated, so that bytes copied to another row do not open. */
export type SealedRow = { partnerId: string; place: string };

export type Sealer = {
  /** Seals a text with the partner's data key: the one that `known` holds, else it is read, and created in this transaction when there is none. */
  seal(tx: Tx, row: SealedRow, plain: string, known?: Partial<DataKeyRow>): Promise<SealedValue>;
  /** Opens a text with the data key that the statement joined. Throws `SealFault`. */
  open(row: SealedRow, value: SealedValue, dataKey: Partial<DataKeyRow>): string;
  /** Seals a text of an earlier version again, with the partner's data key. Throws `SealFault` as `open` does. */
  reseal(tx: Tx, row: SealedRow, value: SealedValue, dataKey: Partial<DataKeyRow>): Promise<SealedValue>;
};

/** Ids of data keys are UUIDs; those of master keys have at most 32 characters. */
const DATA_KEY_ID_LENGTH = 36;

/** Creates the sealer of one kind of value. `use` is authenticated with each value; `describe` names a row in the log. */
export function createSealer(dataKeys: DataKeys, kind: { use: string; describe: (row: SealedRow) => string }): Sealer {
  const contextOf = ({ partnerId, place }: SealedRow) => ({ use: kind.use, partnerId, place });
  const openWith = (row: SealedRow, { sealed, keyId }: SealedValue, known: Partial<DataKeyRow>) => {
    if (known.dataKeyDestroyedAt) throw new SealFault(kind.describe(row), 'data_key_destroyed');
    if (keyId.length !== DATA_KEY_ID_LENGTH) return dataKeys.openDirect(contextOf(row), keyId, sealed);
    const dataKey = dataKeys.open(row.partnerId, known);
    if (dataKey.id !== keyId) throw new SealFault(kind.describe(row), 'other_data_key');
    return openSecret(dataKey, contextOf(row), sealed);
  };
  const seal: Sealer['seal'] = async (tx, row, plain, known) => {
    const dataKey = await dataKeys.provide(tx, row.partnerId, known);
    return { sealed: sealSecret(dataKey, contextOf(row), Buffer.from(plain), randomBytes(NONCE_BYTES)), keyId: dataKey.id };
  };
  const open: Sealer['open'] = (row, value, known) => {
    const opened = openWith(row, value, known);
    if (!opened.ok) throw new SealFault(kind.describe(row), opened.problem);
    return Buffer.from(opened.bytes).toString('utf8');
  };
  return {
    seal,
    open,
    reseal: (tx, row, value, known) => seal(tx, row, open(row, value, known), known),
  };
}

/** Returns whether an error means that the partner's data key was destroyed: no later attempt can open the value. */
export function isKeyDestroyed(error: unknown): boolean {
  return error instanceof SealFault && error.problem === 'data_key_destroyed';
}
