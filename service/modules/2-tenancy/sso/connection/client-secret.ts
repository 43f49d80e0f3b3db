import { createSealer, type DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';

/** An identity provider's client secret as stored: sealed with the data key of its partner. */
export type SealedSecret = { clientSecretSealed: Buffer; secretKeyId: string };

const sealer = (dataKeys: DataKeys) =>
  createSealer(dataKeys, { use: 'sso-client-secret', describe: ({ partnerId }) => `The client secret of partner ${partnerId}` });
const rowOf = (partnerId: string) => ({ partnerId, place: 'connection' });
const valueOf = ({ clientSecretSealed, secretKeyId }: SealedSecret) => ({ sealed: clientSecretSealed, keyId: secretKeyId });

export async function sealClientSecret(
  dataKeys: DataKeys,
  tx: Tx,
  partnerId: string,
  secret: string,
  known: DataKeyRow | undefined,
): Promise<SealedSecret> {
  const { sealed, keyId } = await sealer(dataKeys).seal(tx, rowOf(partnerId), secret, known);
  return { clientSecretSealed: sealed, secretKeyId: keyId };
}

/** Returns the client secret. Throws `SealFault`. */
export function openClientSecret(dataKeys: DataKeys, partnerId: string, row: SealedSecret & DataKeyRow): string {
  return sealer(dataKeys).open(rowOf(partnerId), valueOf(row), row);
}

/** Seals a client secret of an earlier version again, with the partner's data key. Throws `SealFault`. */
export async function resealClientSecret(
  dataKeys: DataKeys,
  tx: Tx,
  row: { partnerId: string } & SealedSecret & DataKeyRow,
): Promise<{ partnerId: string } & SealedSecret> {
  const { sealed, keyId } = await sealer(dataKeys).reseal(tx, rowOf(row.partnerId), valueOf(row), row);
  return { partnerId: row.partnerId, clientSecretSealed: sealed, secretKeyId: keyId };
}
