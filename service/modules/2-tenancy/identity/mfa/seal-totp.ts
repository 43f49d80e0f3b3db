import { createSealer, type DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';

/** A secret of an authenticator app as stored: sealed with the data key of the user's partner, bound to the user. */
export type SealedTotp = { secretSealed: Buffer; secretKeyId: string };
type Owner = { userId: string; partnerId: string };

const sealer = (dataKeys: DataKeys) =>
  createSealer(dataKeys, { use: 'totp', describe: ({ place }) => `The authenticator secret of user ${place}` });
const rowOf = ({ userId, partnerId }: Owner) => ({ partnerId, place: userId });

/** Seals a base32 secret. */
export async function sealTotp(dataKeys: DataKeys, tx: Tx, owner: Owner, secret: string): Promise<SealedTotp> {
  const { sealed, keyId } = await sealer(dataKeys).seal(tx, rowOf(owner), secret);
  return { secretSealed: sealed, secretKeyId: keyId };
}

/** Returns the secret in base32. Throws `SealFault`. */
export function openTotp(dataKeys: DataKeys, owner: Owner, { secretSealed, secretKeyId, ...dataKey }: SealedTotp & DataKeyRow): string {
  return sealer(dataKeys).open(rowOf(owner), { sealed: secretSealed, keyId: secretKeyId }, dataKey);
}

/** Seals a secret of an earlier version again, with the partner's data key. Throws `SealFault`. */
export async function resealTotp(
  dataKeys: DataKeys,
  tx: Tx,
  row: Owner & SealedTotp & DataKeyRow,
): Promise<{ userId: string } & SealedTotp> {
  const { sealed, keyId } = await sealer(dataKeys).reseal(tx, rowOf(row), { sealed: row.secretSealed, keyId: row.secretKeyId }, row);
  return { userId: row.userId, secretSealed: sealed, secretKeyId: keyId };
}
