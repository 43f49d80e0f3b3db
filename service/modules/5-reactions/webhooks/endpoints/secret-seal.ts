import { randomBytes } from 'node:crypto';
import { createSealer, type DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';

/** Bound to the sealed value: bytes moved to another endpoint or partner do not open. */
export type SealedFor = { id: string; partnerId: string };
/** A signing secret as stored: sealed with the data key of its partner. */
export type SealedSecret = { secretSealed: Buffer; secretKeyId: string };

export type SecretSeal = {
  seal(tx: Tx, endpoint: SealedFor, secret: string): Promise<SealedSecret>;
  /** Opens what was sealed for this endpoint. Throws `SealFault`. */
  open(endpoint: SealedFor, row: SealedSecret & DataKeyRow): string;
  /** Seals a secret of an earlier version again, with the partner's data key. Throws `SealFault`. */
  reseal(tx: Tx, row: SealedFor & SealedSecret & DataKeyRow): Promise<SealedSecret>;
};

/** Creates the sealer of signing secrets. */
export function createSecretSeal(dataKeys: DataKeys): SecretSeal {
  const sealer = createSealer(dataKeys, {
    use: 'webhook-secret',
    describe: ({ place }) => `The signing secret of the webhook endpoint ${place}`,
  });
  const rowOf = ({ id, partnerId }: SealedFor) => ({ partnerId, place: id });
  const valueOf = ({ secretSealed, secretKeyId }: SealedSecret) => ({ sealed: secretSealed, keyId: secretKeyId });
  return {
    async seal(tx, endpoint, secret) {
      const { sealed, keyId } = await sealer.seal(tx, rowOf(endpoint), secret);
      return { secretSealed: sealed, secretKeyId: keyId };
    },
    open: (endpoint, row) => sealer.open(rowOf(endpoint), valueOf(row), row),
    async reseal(tx, row) {
      const { sealed, keyId } = await sealer.reseal(tx, rowOf(row), valueOf(row), row);
      return { secretSealed: sealed, secretKeyId: keyId };
    },
  };
}

const SECRET_BYTES = 32;

/** Returns a new signing secret. The whole text is the HMAC key. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
