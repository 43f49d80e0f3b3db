import { randomBytes } from 'node:crypto';
import { type KeyRing, NONCE_BYTES, openDirect, sealDirect } from '@partner-portal/core/credential/vault.ts';

/** A mail as it will be sent. Composed when it is queued, so later changes of branding or texts do not affect it. */
export type MailBody = { fromName: string; replyTo: string | null; subject: string; text: string; html: string; links: string[] };
export type SealedBody = { sealed: Buffer; keyId: string };
export type BodyPlace = { id: string; partnerId: string };

/** The stored body cannot be opened: the row was changed or moved, or its master key was removed too early. */
export class MailFault extends Error {
  constructor(id: string, problem: string) {
    super(`The body of mail ${id} cannot be opened (${problem}).`);
    this.name = 'MailFault';
  }
}

const contextOf = ({ id, partnerId }: BodyPlace) => ({ use: 'mail', partnerId, place: id });

/** Seals a body for its row, because its links grant access. */
export function sealBody(ring: KeyRing, place: BodyPlace, body: MailBody): SealedBody {
  const { masterKeyId, sealed } = sealDirect(ring, contextOf(place), Buffer.from(JSON.stringify(body)), randomBytes(NONCE_BYTES));
  return { sealed, keyId: masterKeyId };
}

/** Opens a body. Throws `MailFault` unless it was sealed for exactly this row. */
export function openBody(ring: KeyRing, place: BodyPlace, body: SealedBody): MailBody {
  return JSON.parse(Buffer.from(openBytes(ring, place, body)).toString('utf8')); // authenticated, hence what sealBody wrote
}

/** Seals the body again with the newest master key. Throws `MailFault` as `openBody` does. */
export function resealBody(ring: KeyRing, place: BodyPlace, body: SealedBody): SealedBody {
  const { masterKeyId, sealed } = sealDirect(ring, contextOf(place), openBytes(ring, place, body), randomBytes(NONCE_BYTES));
  return { sealed, keyId: masterKeyId };
}

function openBytes(ring: KeyRing, place: BodyPlace, { sealed, keyId }: SealedBody): Uint8Array {
  const opened = openDirect(ring, contextOf(place), keyId, sealed);
  if (!opened.ok) throw new MailFault(place.id, opened.problem);
  return opened.bytes;
}
