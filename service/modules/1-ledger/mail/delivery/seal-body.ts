import { createSealer, type DataKeys, type SealedValue } from '#modules/1-ledger/data-keys/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import type { MailBody } from '../compose/compose-mail.ts';

export type BodyPlace = { id: string; partnerId: string };

const sealer = (dataKeys: DataKeys) => createSealer(dataKeys, { use: 'mail', describe: ({ place }) => `The body of mail ${place}` });
const rowOf = ({ id, partnerId }: BodyPlace) => ({ partnerId, place: id });

/** Seals a body for its row with the partner's data key, because its links grant access. */
export function sealBody(dataKeys: DataKeys, tx: Tx, place: BodyPlace, body: MailBody, known: DataKeyRow): Promise<SealedValue> {
  return sealer(dataKeys).seal(tx, rowOf(place), JSON.stringify(body), known);
}

/** Opens a body. Throws `SealFault` unless it was sealed for exactly this row. */
export function openBody(dataKeys: DataKeys, row: BodyPlace & DataKeyRow, { sealed, keyId }: SealedValue): MailBody {
  return JSON.parse(sealer(dataKeys).open(rowOf(row), { sealed, keyId }, row)); // authenticated, hence what sealBody wrote
}

/** Seals the body of an earlier version again, with the partner's data key. Throws `SealFault` as `openBody` does. */
export function resealBody(dataKeys: DataKeys, tx: Tx, row: BodyPlace & SealedValue & DataKeyRow): Promise<SealedValue> {
  return sealer(dataKeys).reseal(tx, rowOf(row), row, row);
}
