import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

export type NewDataKey = { id: string; masterKeyId: string; sealedKey: Buffer };

export async function findDataKey(tx: Tx, partnerId: string): Promise<DataKeyRow | undefined> {
  const [row] = await runStatement<'data_keys_find', DataKeyRow>(tx, {
    name: 'data_keys_find',
    text: `select ${DATA_KEY} from partner_data_key k where k.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

/** Stores a new data key, or returns the one that another transaction stored first. */
export async function addDataKey(tx: Tx, partnerId: string, fresh: NewDataKey): Promise<DataKeyRow> {
  const [added] = await runStatement<'data_keys_add', DataKeyRow>(tx, {
    name: 'data_keys_add',
    text: `insert into partner_data_key as k (id, partner_id, master_key_id, sealed_key) values ($1, $2, $3, $4)
      on conflict (partner_id) do nothing returning ${DATA_KEY}`,
    values: [fresh.id, partnerId, fresh.masterKeyId, fresh.sealedKey],
  });
  const present = added ?? (await findDataKey(tx, partnerId));
  if (!present) throw new Error('The data key of a partner disappeared between two statements.');
  return present;
}

/** Removes the key from its row, which a destroyed key keeps; also when the partner never had one. */
export async function eraseDataKey(tx: SystemTx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'data_keys_erase',
    text: `insert into partner_data_key as k (partner_id, destroyed_at) values ($1, now())
      on conflict (partner_id) do update set sealed_key = null, master_key_id = null, destroyed_at = coalesce(k.destroyed_at, now())`,
    values: [partnerId],
  });
}

export type SealedDataKey = { id: string; partnerId: string; sealedKey: Buffer; masterKeyId: string };

/** Locks data keys after `afterId` that an older master key sealed. Waits for those that another rewrap holds. */
export async function claimOldDataKeys(tx: SystemTx, newestKeyId: string, afterId: string, batch: number): Promise<SealedDataKey[]> {
  return runStatement<'data_keys_claim_old', SealedDataKey>(tx, {
    name: 'data_keys_claim_old',
    text: `select id, partner_id, sealed_key, master_key_id from partner_data_key
      where master_key_id <> $1 and id > $2 order by id limit $3 for update`,
    values: [newestKeyId, afterId, batch],
  });
}

export async function replaceDataKeys(tx: SystemTx, keys: readonly SealedDataKey[]): Promise<void> {
  await runStatement(tx, {
    name: 'data_keys_replace',
    text: `update partner_data_key k set sealed_key = n.sealed_key, master_key_id = n.master_key_id, rewrapped_at = now()
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(id, sealed_key, master_key_id) where k.id = n.id`,
    values: [keys.map((key) => key.id), keys.map((key) => key.sealedKey), keys.map((key) => key.masterKeyId)],
  });
}

/** Counts agencies with sealed keys of third parties but no data key, not even a destroyed one: a database restored without its keys. */
export async function countWithoutDataKey(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'data_keys_count_without', { count: number }>(tx, {
    name: 'data_keys_count_without',
    prepare: false,
    text: `select count(distinct s.partner_id) from (
        select c.partner_id from credential c where c.sealed is not null
        union all select e.partner_id from webhook_endpoint e where length(e.secret_key_id) = 36
      ) s where not exists (select from partner_data_key k where k.partner_id = s.partner_id)`,
    values: [],
  });
  return row?.count ?? 0;
}

export async function countOldDataKeys(tx: SystemTx, newestKeyId: string): Promise<number> {
  const [row] = await runStatement<'data_keys_count_old', { count: number }>(tx, {
    name: 'data_keys_count_old',
    prepare: false,
    text: 'select count(*) from partner_data_key where master_key_id <> $1',
    values: [newestKeyId],
  });
  return row?.count ?? 0;
}
