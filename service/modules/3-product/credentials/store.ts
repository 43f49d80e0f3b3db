import type { StoredProvider } from '@partner-portal/core/credential/credential.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** The owner of credentials: a partner (client null) or one of its clients. */
export type Scope = { partnerId: string; clientId: string | null };
export type Slot = Scope & { provider: StoredProvider };

export type DataKeyRow = { sealedKey: Buffer; masterKeyId: string };

/** A stored credential with its sealed value. */
export type CredentialRow = Scope & {
  id: string;
  provider: StoredProvider;
  sourceMode: SourceMode;
  sealed: Buffer | null;
  keyVersion: number;
  lastCheckOk: boolean | null;
};

/** Locks a slot until the transaction ends, so that key versions are counted without gaps or duplicates. */
export async function lockSlot(tx: Tx, { partnerId, clientId, provider }: Slot): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_lock_slot',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`credential:${partnerId}:${clientId ?? 'agency'}:${provider}`],
  });
}

export const ROW = 'c.id, c.partner_id, c.client_id, c.provider, c.source_mode, c.sealed, c.key_version, c.last_check_ok';
export const KEY = 'k.sealed_key, k.master_key_id';

/** Returns the row stored in exactly this slot, with its partner's data key. */
export async function findStored(tx: Tx, slot: Slot): Promise<{ row: CredentialRow | undefined; dataKey: DataKeyRow | undefined }> {
  const [found] = await runStatement<'credentials_find_stored', Partial<CredentialRow> & Partial<DataKeyRow>>(tx, {
    name: 'credentials_find_stored',
    text: `select ${ROW}, ${KEY} from (select 1) one
      left join credential c on c.partner_id = $1 and c.client_id is not distinct from $2::uuid and c.provider = $3
      left join partner_data_key k on k.partner_id = $1`,
    values: [slot.partnerId, slot.clientId, slot.provider],
  });
  return { row: found?.id ? (found as CredentialRow) : undefined, dataKey: found?.sealedKey ? (found as DataKeyRow) : undefined };
}

/** Stores a new data key, or returns the one that a concurrent save stored first. */
export async function addDataKey(tx: Tx, partnerId: string, fresh: DataKeyRow): Promise<DataKeyRow> {
  const added = await runStatement(tx, {
    name: 'credentials_add_data_key',
    text: `insert into partner_data_key (partner_id, master_key_id, sealed_key) values ($1, $2, $3)
      on conflict (partner_id) do nothing returning id`,
    values: [partnerId, fresh.masterKeyId, fresh.sealedKey],
  });
  if (added.length > 0) return fresh;
  const [present] = await runStatement<'credentials_read_data_key', DataKeyRow>(tx, {
    name: 'credentials_read_data_key',
    text: 'select sealed_key, master_key_id from partner_data_key where partner_id = $1',
    values: [partnerId],
  });
  if (!present) throw new Error('The data key of a partner disappeared between two statements.');
  return present;
}

/** Writes a saved credential. A changed value or mode clears the last check, which was of another key. */
export async function writeCredential(
  tx: Tx,
  slot: Slot,
  value: { id: string | null; sourceMode: SourceMode; sealed: Buffer | null; keyVersion: number },
): Promise<{ id: string; isCheckChanged: boolean }> {
  const [row] = await runStatement<'credentials_update' | 'credentials_insert', { id: string; isCheckChanged: boolean }>(tx, {
    name: value.id ? 'credentials_update' : 'credentials_insert',
    text: value.id
      ? `update credential set source_mode = $2, sealed = $3, key_version = $4,
           last_check_ok = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_ok end,
           last_check_at = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_at end,
           last_check_message = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_message end
         where id = $1 returning id, old.last_check_ok is distinct from new.last_check_ok as is_check_changed`
      : 'insert into credential (source_mode, sealed, key_version, partner_id, client_id, provider) values ($1, $2, $3, $4, $5, $6) returning id, false as is_check_changed',
    values: value.id
      ? [value.id, value.sourceMode, value.sealed, value.keyVersion]
      : [value.sourceMode, value.sealed, value.keyVersion, slot.partnerId, slot.clientId, slot.provider],
  });
  if (!row) throw new Error('A locked credential disappeared while it was saved.');
  return row;
}

export async function deleteCredentialRow(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, { name: 'credentials_delete', text: 'delete from credential where id = $1', values: [id] });
}

export type Purpose = 'bind_connection' | 'test' | 'run_query' | 'preflight' | 'read_bookings';
export type UsedBy = { type: 'user' | 'staff' | 'system'; id: string | null };

/** Writes the use ledger (who opened what, for which purpose) in the transaction that reads the sealed value. */
export async function recordUse(tx: Tx, row: CredentialRow, purpose: Purpose, by: UsedBy): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_record_use',
    text: `with used as (
        insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type, actor_id)
        values ($2, $3, $1, $4, $5, $6, $7))
      update credential set last_used_at = now() where id = $1`,
    values: [row.id, row.partnerId, row.clientId, row.provider, purpose, by.type, by.id],
  });
}

/** Stores the outcome of a check, unless the value has been replaced since. Returns whether it differs from the last one. */
export async function recordCheck(tx: Tx, row: CredentialRow, check: { ok: boolean; message: string; at: Date }): Promise<boolean> {
  const [written] = await runStatement<'credentials_record_check', { isChanged: boolean }>(tx, {
    name: 'credentials_record_check',
    text: `update credential set last_check_ok = $4, last_check_message = $5, last_check_at = $6
      where id = $1 and key_version = $2 and source_mode = $3 returning old.last_check_ok is distinct from new.last_check_ok as is_changed`,
    values: [row.id, row.keyVersion, row.sourceMode, check.ok, check.message, check.at],
  });
  return written?.isChanged ?? false;
}

export type RunSource = { status: string; partnerId: string; clientId: string | null };

/** Reads an execution for the query route, across tenants: its callback token was verified before. */
export async function findRun(tx: SystemTx, executionId: string): Promise<RunSource | undefined> {
  const [row] = await runStatement<'credentials_find_run', RunSource>(tx, {
    name: 'credentials_find_run',
    text: 'select status, partner_id, client_id from execution where id = $1',
    values: [executionId],
  });
  return row;
}

export type SealedDataKey = DataKeyRow & { id: string; partnerId: string };

/** Locks data keys after `afterId` that an older master key sealed. Skips rows that another rewrap holds. */
export async function claimOldDataKeys(tx: SystemTx, newestKeyId: string, afterId: string, batch: number): Promise<SealedDataKey[]> {
  return runStatement<'credentials_claim_old_keys', SealedDataKey>(tx, {
    name: 'credentials_claim_old_keys',
    text: `select id, partner_id, sealed_key, master_key_id from partner_data_key
      where master_key_id <> $1 and id > $2 order by id limit $3 for update`,
    values: [newestKeyId, afterId, batch],
  });
}

export async function replaceDataKeys(tx: SystemTx, keys: readonly SealedDataKey[]): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_replace_keys',
    text: `update partner_data_key k set sealed_key = n.sealed_key, master_key_id = n.master_key_id, rewrapped_at = now()
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(id, sealed_key, master_key_id) where k.id = n.id`,
    values: [keys.map((key) => key.id), keys.map((key) => key.sealedKey), keys.map((key) => key.masterKeyId)],
  });
}

export async function countOldDataKeys(tx: SystemTx, newestKeyId: string): Promise<number> {
  const [row] = await runStatement<'credentials_count_old_data_keys', { count: number }>(tx, {
    name: 'credentials_count_old_data_keys',
    prepare: false,
    text: 'select count(*) from partner_data_key where master_key_id <> $1',
    values: [newestKeyId],
  });
  return row?.count ?? 0;
}
