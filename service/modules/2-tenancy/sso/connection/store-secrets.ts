import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

type SecretRow = { partnerId: string; clientSecretSealed: Buffer; secretKeyId: string };

/** Secrets of earlier versions, which a master key sealed: its id is shorter than that of a data key. Those under a destroyed key are left. */
const OLD = 'length(c.secret_key_id) <= 32 and k.destroyed_at is null';
const OLD_TABLES = 'sso_connection c left join partner_data_key k on k.partner_id = c.partner_id';

export async function countOldSecrets(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'sso_count_old_secrets', { n: number }>(tx, {
    name: 'sso_count_old_secrets',
    prepare: false,
    text: `select count(*)::int as n from ${OLD_TABLES} where ${OLD}`,
  });
  return row?.n ?? 0;
}

export async function claimOldSecrets(tx: SystemTx, afterPartnerId: string, limit: number): Promise<(SecretRow & DataKeyRow)[]> {
  return runStatement<'sso_claim_old_secrets', SecretRow & DataKeyRow>(tx, {
    name: 'sso_claim_old_secrets',
    prepare: false,
    text: `select c.partner_id, c.client_secret_sealed, c.secret_key_id, ${DATA_KEY} from ${OLD_TABLES}
      where ${OLD} and c.partner_id > $1 order by c.partner_id limit $2 for update of c`,
    values: [afterPartnerId, limit],
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
