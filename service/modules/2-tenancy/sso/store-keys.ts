import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';
import { AVAILABLE, TERMS } from './store.ts';

/** A key of the portal as stored: its certificate in base64 DER, and its private key sealed. */
export type StoredKey = { certificate: string; sealed: Buffer; keyId: string };

/** Makes a key the one of the connection, where it has none. */
export async function writeFirstKey(tx: TenantTx, partnerId: string, key: StoredKey): Promise<void> {
  await runStatement(tx, {
    name: 'sso_write_first_key',
    prepare: false,
    text: `update sso_connection set own_certificate = $2, own_key_sealed = $3, own_key_id = $4 where partner_id = $1 and own_certificate is null`,
    values: [partnerId, key.certificate, key.sealed, key.keyId],
  });
}

export async function writeNextKey(tx: TenantTx, partnerId: string, key: StoredKey): Promise<void> {
  await runStatement(tx, {
    name: 'sso_write_next_key',
    prepare: false,
    text: `update sso_connection set next_certificate = $2, next_key_sealed = $3, next_key_id = $4
      where partner_id = $1 and own_certificate is not null and next_certificate is null`,
    values: [partnerId, key.certificate, key.sealed, key.keyId],
  });
}

/** Puts the next key in the place of the current one, which is gone then. */
export async function promoteNextKey(tx: TenantTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'sso_promote_next_key',
    prepare: false,
    text: `update sso_connection set own_certificate = next_certificate, own_key_sealed = next_key_sealed, own_key_id = next_key_id,
        next_certificate = null, next_key_sealed = null, next_key_id = null
      where partner_id = $1 and next_certificate is not null`,
    values: [partnerId],
  });
}

export type PublicKeys = { ownCertificate: string | null; nextCertificate: string | null; isSigning: boolean; logsOut: boolean };

/** Returns what the metadata of a slug lists; undefined without a SAML connection that may be used. */
export async function findKeysBySlug(tx: SystemTx, slug: string): Promise<PublicKeys | undefined> {
  const [row] = await runStatement<'sso_keys_by_slug', PublicKeys>(tx, {
    name: 'sso_keys_by_slug',
    text: `select c.own_certificate, c.next_certificate, (c.own_certificate is not null and (c.signs_requests or c.idp_wants_signed)) as is_signing, c.logs_out
      from partner p join sso_connection c on c.partner_id = p.id ${TERMS}
      where p.slug = $1 and p.status <> 'deleted' and c.protocol = 'saml' and ${AVAILABLE}`,
    values: [slug],
  });
  return row;
}
