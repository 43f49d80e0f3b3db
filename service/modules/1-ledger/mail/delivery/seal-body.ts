import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createSealer, type SealedValue } from '#platform/sealed-value.ts';

/** A mail as it will be sent. Composed when it is queued, so later changes of branding or texts do not affect it. */
export type MailBody = { fromName: string; replyTo: string | null; subject: string; text: string; html: string; links: string[] };
export type BodyPlace = { id: string; partnerId: string };

const sealer = (ring: KeyRing) => createSealer(ring, { use: 'mail', describe: ({ place }) => `The body of mail ${place}` });
const rowOf = ({ id, partnerId }: BodyPlace) => ({ partnerId, place: id });

/** Seals a body for its row, because its links grant access. */
export function sealBody(ring: KeyRing, place: BodyPlace, body: MailBody): SealedValue {
  return sealer(ring).seal(rowOf(place), JSON.stringify(body));
}

/** Opens a body. Throws `SealFault` unless it was sealed for exactly this row. */
export function openBody(ring: KeyRing, place: BodyPlace, { sealed, keyId }: SealedValue): MailBody {
  return JSON.parse(sealer(ring).open(rowOf(place), sealed, keyId)); // authenticated, hence what sealBody wrote
}

/** Seals the body again with the newest master key. Throws `SealFault` as `openBody` does. */
export function resealBody(ring: KeyRing, place: BodyPlace, { sealed, keyId }: SealedValue): SealedValue {
  return sealer(ring).seal(rowOf(place), sealer(ring).open(rowOf(place), sealed, keyId));
}
