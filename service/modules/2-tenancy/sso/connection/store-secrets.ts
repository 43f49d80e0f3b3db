import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

type SecretRow = { partnerId: string; clientSecretSealed: Buffer; secretKeyId: string };

export async function countOldSecrets(tx: SystemTx, newestKeyId: string): Promise<number> {
  const [row] = await runStatement<'sso_count_old_secrets', { n: number }>(tx, {
    name: 'sso_count_old_secrets',
    prepare: false,
    text: 'select count(*)::int as n from sso_connection where secret_key_id is not null and secret_key_id <> $1',
    values: [newestKeyId],
  });
  return row?.n ?? 0;
}

/** Claims connections whose secret is sealed with another master key. */
export async function claimOldSecrets(tx: SystemTx, newestKeyId: string, afterPartnerId: string, limit: number): Promise<SecretRow[]> {
  return runStatement<'sso_claim_old_secrets', SecretRow>(tx, {
    name: 'sso_claim_old_secrets',
    prepare: false,
    text: `select partner_id, client_secret_sealed, secret_key_id from sso_connection
      where secret_key_id is not null and secret_key_id <> $1 and partner_id > $2 order by partner_id limit $3 for update`,
    values: [newestKeyId, afterPartnerId, limit],
  });
}

export async function replaceSecrets(tx: SystemTx, fresh: readonly SecretRow[]): Promise<void> {
  await runStatement(tx, {
    name: 'sso_replace_secrets',
    prepare: false,
    text: `update sso_connection c set client_secret_sealed = n.sealed, secret_key_id = n.key_id
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(partner_id, sealed, key_id) where c.partner_id = n.partner_id`,
    values: [fresh.map((one) => one.partnerId), fresh.map((one) => one.clientSecretSealed), fresh.map((one) => one.secretKeyId)],
  });
}
