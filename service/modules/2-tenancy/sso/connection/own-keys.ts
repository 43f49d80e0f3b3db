import { createHash, X509Certificate } from 'node:crypto';
import type { OwnKey } from '#adapters/saml-certificate.ts';
import { createSealer, type DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';
import type { StoredKey } from '../store-keys.ts';
import type { ConnectionRow } from '../store.ts';

// Keys of the portal for one SAML provider: they sign requests and decrypt assertions, and live and end with the connection.

const sealer = (dataKeys: DataKeys) =>
  createSealer(dataKeys, { use: 'sso-own-key', describe: ({ partnerId }) => `A SAML key of partner ${partnerId}` });
const rowOf = (partnerId: string, certificate: string) => ({ partnerId, place: createHash('sha256').update(certificate).digest('hex') });

export async function sealKey(
  dataKeys: DataKeys,
  tx: TenantTx,
  partnerId: string,
  { certificate, privateKey }: OwnKey,
  known: DataKeyRow | undefined,
): Promise<StoredKey> {
  return { certificate, ...(await sealer(dataKeys).seal(tx, rowOf(partnerId, certificate), privateKey, known)) };
}

/** Returns the keys of a connection, opened; the current one first. Throws `SealFault`. */
export function openKeys(dataKeys: DataKeys, row: ConnectionRow): OwnKey[] {
  const open = (certificate: string | null, sealed: Buffer | null, keyId: string | null): OwnKey[] =>
    certificate && sealed && keyId
      ? [{ certificate, privateKey: sealer(dataKeys).open(rowOf(row.partnerId, certificate), { sealed, keyId }, row) }]
      : [];
  return [...open(row.ownCertificate, row.ownKeySealed, row.ownKeyId), ...open(row.nextCertificate, row.nextKeySealed, row.nextKeyId)];
}

/** Returns the keys for people: how to recognize each, and its end. */
export function showKeys({ ownCertificate, nextCertificate }: Pick<ConnectionRow, 'ownCertificate' | 'nextCertificate'>) {
  const show = (use: 'current' | 'next', text: string | null) => {
    if (text === null) return [];
    const certificate = new X509Certificate(Buffer.from(text, 'base64'));
    return [{ use, fingerprint: certificate.fingerprint256, expiresAt: new Date(certificate.validTo) }];
  };
  return [...show('current', ownCertificate), ...show('next', nextCertificate)];
}
