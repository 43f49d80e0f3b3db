import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { SourceMode, SqlTlsState } from '@partner-portal/contract/vocabulary.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** The owner of credentials: a partner (client null) or one of its clients. */
export type Scope = { partnerId: string; clientId: string | null };
export type Slot = Scope & { provider: StoredProvider };

/** A stored credential with its sealed value. */
export type CredentialRow = Scope & {
  id: string;
  provider: StoredProvider;
  sourceMode: SourceMode;
  sealed: Buffer | null;
  keyVersion: number;
  lastCheckOk: boolean | null;
  /** For a SQL key: how its connection is secured. */
  tls: SqlTlsState | null;
};

/** Locks a slot until the transaction ends, so that key versions are counted without gaps or duplicates. */
export async function lockSlot(tx: Tx, { partnerId, clientId, provider }: Slot): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_lock_slot',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`credential:${partnerId}:${clientId ?? 'agency'}:${provider}`],
  });
}

export const ROW = 'c.id, c.partner_id, c.client_id, c.provider, c.source_mode, c.sealed, c.key_version, c.last_check_ok, c.tls';

/** Returns the row stored in exactly this slot, with its partner's data key. */
export async function findStored(
  tx: Tx,
  slot: Slot,
): Promise<{ row: (CredentialRow & { updatedAt: Date }) | undefined; dataKey: DataKeyRow | undefined }> {
  const [found] = await runStatement<'credentials_find_stored', Partial<CredentialRow & { updatedAt: Date }> & Partial<DataKeyRow>>(tx, {
    name: 'credentials_find_stored',
    text: `select ${ROW}, c.updated_at, ${DATA_KEY} from (select 1) one
      left join credential c on c.partner_id = $1 and c.client_id is not distinct from $2::uuid and c.provider = $3
      left join partner_data_key k on k.partner_id = $1`,
    values: [slot.partnerId, slot.clientId, slot.provider],
  });
  return {
    row: found?.id ? (found as CredentialRow & { updatedAt: Date }) : undefined,
    dataKey: found?.dataKeyId ? (found as DataKeyRow) : undefined,
  };
}

/** Writes a saved credential. A changed value or mode clears the last check, which was of another key. */
export async function writeCredential(
  tx: Tx,
  slot: Slot,
  value: { id: string | null; sourceMode: SourceMode; sealed: Buffer | null; keyVersion: number; tls: SqlTlsState | null },
): Promise<{ id: string; isCheckChanged: boolean }> {
  const [row] = await runStatement<'credentials_update' | 'credentials_insert', { id: string; isCheckChanged: boolean }>(tx, {
    name: value.id ? 'credentials_update' : 'credentials_insert',
    text: value.id
      ? `update credential set source_mode = $2, sealed = $3, key_version = $4, tls = $5,
           tls_due_at = case when tls is distinct from $5 then null else tls_due_at end, tls_problem = case when tls is distinct from $5 then null else tls_problem end,
           last_check_ok = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_ok end,
           last_check_at = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_at end,
           last_check_message = case when (source_mode, sealed) is distinct from ($2, $3::bytea) then null else last_check_message end
         where id = $1 returning id, (old.last_check_ok, old.tls) is distinct from (new.last_check_ok, new.tls) as is_check_changed`
      : 'insert into credential (source_mode, sealed, key_version, tls, partner_id, client_id, provider) values ($1, $2, $3, $4, $5, $6, $7) returning id, false as is_check_changed',
    values: value.id
      ? [value.id, value.sourceMode, value.sealed, value.keyVersion, value.tls]
      : [value.sourceMode, value.sealed, value.keyVersion, value.tls, slot.partnerId, slot.clientId, slot.provider],
  });
  if (!row) throw new Error('A locked credential disappeared while it was saved.');
  return row;
}

export async function deleteCredentialRow(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, { name: 'credentials_delete', text: 'delete from credential where id = $1', values: [id] });
}

export type Purpose = 'bind_connection' | 'test' | 'run_query' | 'preflight' | 'read_bookings' | 'ai_call';
/** For whom a key was opened; kept with uses of a key of the agency, which serves all its clients. */
export type Served = { clientId: string | null; workflowId?: string | null };
export type UsedBy = { type: 'user' | 'staff' | 'system'; id: string | null };

/**
 * Writes the use ledger (who opened what, for which purpose) in the transaction that reads the sealed value. A row in platform mode has none:
 * what is used is neither the client's key nor the agency's.
 */
export async function recordUse(tx: Tx, row: CredentialRow, purpose: Purpose, by: UsedBy, served?: Served): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_record_use',
    text: `with used as (
        insert into credential_use (partner_id, client_id, credential_id, provider, purpose, actor_type, actor_id, served_client_id, workflow_id)
        select $2, $3, $1, $4, $5, $6, $7, $8, $9 from credential c where c.id = $1 and c.source_mode = 'byok')
      update credential set last_used_at = now() where id = $1`,
    values: [
      row.id,
      row.partnerId,
      row.clientId,
      row.provider,
      purpose,
      by.type,
      by.id,
      row.clientId === null ? (served?.clientId ?? null) : null,
      served?.workflowId ?? null,
    ],
  });
}

/** The value that was checked. */
export type CheckedRow = Pick<CredentialRow, 'id' | 'keyVersion' | 'sourceMode'>;

/**
 * Stores the outcome of a check, unless the value has been replaced since. Returns whether it differs from the last one. Without an answer about
 * the key (`ok: null`) the last one stays.
 */
export async function recordCheck(tx: Tx, row: CheckedRow, check: { ok: boolean | null; message: string; at: Date }): Promise<boolean> {
  if (check.ok === null) return false;
  const [written] = await runStatement<'credentials_record_check', { isChanged: boolean }>(tx, {
    name: 'credentials_record_check',
    text: `update credential set last_check_ok = $4, last_check_message = $5, last_check_at = $6
      where id = $1 and key_version = $2 and source_mode = $3 returning old.last_check_ok is distinct from new.last_check_ok as is_changed`,
    values: [row.id, row.keyVersion, row.sourceMode, check.ok, check.message, check.at],
  });
  return written?.isChanged ?? false;
}

export type RunSource = { status: string; partnerId: string; clientId: string | null; workflowId: string };

/** Reads an execution for the query route, across tenants: its callback token was verified before. */
export async function findRun(tx: SystemTx, executionId: string): Promise<RunSource | undefined> {
  const [row] = await runStatement<'credentials_find_run', RunSource>(tx, {
    name: 'credentials_find_run',
    text: 'select status, partner_id, client_id, workflow_id from execution where id = $1',
    values: [executionId],
  });
  return row;
}
