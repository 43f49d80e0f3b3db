import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { Slot } from './store.ts';

/**
 * Marks every bound connection that carries a changed slot as due: the slot's own, and for a partner's default those of clients
 * without a row of their own. Returns their ids.
 */
export async function markConnectionsDue(tx: Tx, slot: Slot): Promise<string[]> {
  const rows = await runStatement<'credentials_mark_connections_due', { id: string }>(tx, {
    name: 'credentials_mark_connections_due',
    text: `update engine_connection e set status = 'pending', revision = e.revision + 1, due_at = now(), attempts = 0
      where e.partner_id = $1 and e.provider = $3
        and (e.client_id is not distinct from $2::uuid
          or ($2::uuid is null and (select c.client_id from effective_credential(e.partner_id, e.client_id, e.provider) c) is null))
      returning e.id`,
    values: [slot.partnerId, slot.clientId, slot.provider],
  });
  return rows.map((row) => row.id);
}

export type ClaimedConnection = {
  id: string;
  partnerId: string;
  clientId: string | null;
  provider: StoredProvider;
  externalId: string;
  projectId: string;
  revision: number;
  attempts: number;
};

/** Claims one due connection for `leaseSeconds`; undefined when it is not due or another writer holds it. */
export async function claimConnection(tx: SystemTx, id: string, leaseSeconds: number): Promise<ClaimedConnection | undefined> {
  const [row] = await runStatement<'credentials_claim_connection', ClaimedConnection>(tx, {
    name: 'credentials_claim_connection',
    text: `update engine_connection set claimed_until = now() + make_interval(secs => $2), attempts = attempts + 1
      where id = $1 and due_at <= now() and (claimed_until is null or claimed_until <= now())
      returning id, partner_id, client_id, provider, external_id, project_id, revision, attempts`,
    values: [id, leaseSeconds],
  });
  return row;
}

/** What the engine has, as it was written last and not saved again since. */
export type LiveConnection = {
  engineConnectionId: string | null;
  engineUpdated: string | null;
  credentialId: string | null;
  sourceMode: SourceMode;
  valueHash: Buffer | null;
};

/** Locks the row of a connection, if any, before its credential is opened: connections are locked before credentials. Returns it when it is live. */
export async function lockForBinding(
  tx: SystemTx,
  { projectId, externalId }: { projectId: string; externalId: string },
): Promise<LiveConnection | undefined> {
  const [row] = await runStatement<'credentials_lock_for_binding', LiveConnection & { isLive: boolean }>(tx, {
    name: 'credentials_lock_for_binding',
    text: `select engine_connection_id, engine_updated, credential_id, source_mode, value_hash, status = 'live' and claimed_until is null as is_live
      from engine_connection where project_id = $1 and external_id = $2 for update`,
    values: [projectId, externalId],
  });
  return row?.isLive ? row : undefined;
}

/** Inserts or claims the row of a connection that is about to be bound. It stays due, so the sweep repairs a crash. */
export async function claimForBinding(
  tx: SystemTx,
  binding: { slot: Slot; projectId: string; externalId: string; credentialId: string; sourceMode: SourceMode },
  leaseSeconds: number,
): Promise<ClaimedConnection> {
  const { slot } = binding;
  const [row] = await runStatement<'credentials_claim_for_binding', ClaimedConnection>(tx, {
    name: 'credentials_claim_for_binding',
    text: `insert into engine_connection as e
        (partner_id, client_id, provider, external_id, project_id, credential_id, source_mode, revision, due_at, claimed_until)
      values ($1, $2, $3, $4, $5, $6, $7, 1, now(), now() + make_interval(secs => $8))
      on conflict (project_id, external_id) do update set revision = e.revision + 1, due_at = now(), claimed_until = excluded.claimed_until
      returning id, partner_id, client_id, provider, external_id, project_id, revision, attempts`,
    values: [
      slot.partnerId,
      slot.clientId,
      slot.provider,
      binding.externalId,
      binding.projectId,
      binding.credentialId,
      binding.sourceMode,
      leaseSeconds,
    ],
  });
  if (!row) throw new Error('A connection was neither inserted nor found.');
  return row;
}

/** What the engine answered to a write, with the keyed hash of the value. */
export type Written = { engineConnectionId: string; engineUpdated: string | null; valueHash: Buffer };

/**
 * Records that the engine has the value of `revision`. Returns `live`, `again` when a newer value has been saved since, or `gone`.
 */
export async function settleConnection(
  tx: SystemTx,
  claimed: ClaimedConnection,
  bound: Written & { credentialId: string | null; sourceMode: SourceMode | null },
): Promise<'live' | 'again' | 'gone'> {
  const [row] = await runStatement<'credentials_settle_connection', { status: string }>(tx, {
    name: 'credentials_settle_connection',
    text: `update engine_connection set claimed_until = null, synced_at = now(), engine_connection_id = $3, engine_updated = $6, value_hash = $7,
        credential_id = (select c.id from credential c where c.id = $4), source_mode = coalesce($5, source_mode),
        status = case when revision = $2 then 'live' else 'pending' end,
        due_at = case when revision = $2 then null else now() end, attempts = 0
      where id = $1 returning status`,
    values: [
      claimed.id,
      claimed.revision,
      bound.engineConnectionId,
      bound.credentialId,
      bound.sourceMode,
      bound.engineUpdated,
      bound.valueHash,
    ],
  });
  if (!row) return 'gone';
  return row.status === 'live' ? 'live' : 'again';
}

/** Schedules a retry at `dueAt`; at once if a newer value has been saved since. */
export async function postponeConnection(tx: SystemTx, claimed: ClaimedConnection, dueAt: Date): Promise<void> {
  await runStatement(tx, {
    name: 'credentials_postpone_connection',
    text: `update engine_connection set claimed_until = null, due_at = case when revision = $2 then $3::timestamptz else now() end where id = $1`,
    values: [claimed.id, claimed.revision, dueAt],
  });
}

/** Lists due connections whose job may have been lost in a crash. */
export async function listOverdueConnections(tx: SystemTx, batch: number): Promise<string[]> {
  const rows = await runStatement<'credentials_overdue_connections', { id: string }>(tx, {
    name: 'credentials_overdue_connections',
    text: `select id from engine_connection where due_at <= now() and (claimed_until is null or claimed_until <= now())
      order by due_at limit $1`,
    values: [batch],
  });
  return rows.map((row) => row.id);
}

/** A live connection whose slot is in platform mode, with the hash of what the engine has. */
export type PlatformConnection = {
  id: string;
  provider: StoredProvider;
  projectId: string;
  externalId: string;
  revision: number;
  valueHash: Buffer | null;
  isUsable: boolean;
};

/** Lists a batch of live connections in platform mode after an id, by id. */
export function listPlatformConnections(
  tx: SystemTx,
  platformProviders: readonly string[],
  after: string,
  batch: number,
): Promise<PlatformConnection[]> {
  return runStatement<'credentials_platform_connections', PlatformConnection>(tx, {
    name: 'credentials_platform_connections',
    text: `select e.id, e.provider, e.project_id, e.external_id, e.revision, e.value_hash, c.is_usable
      from engine_connection e cross join lateral effective_credentials(e.partner_id, array[e.client_id], array[e.provider], $1) c
      where e.id > $2 and e.provider in ('openai', 'anthropic') and e.status = 'live' and c.source_mode = 'platform' order by e.id limit $3`,
    values: [platformProviders, after, batch],
  });
}

/** Marks these connections as due, except those that were saved or written since they were read. */
export async function markOutdatedDue(tx: SystemTx, read: readonly { id: string; revision: number }[]): Promise<string[]> {
  const rows = await runStatement<'credentials_mark_outdated_due', { id: string }>(tx, {
    name: 'credentials_mark_outdated_due',
    text: `update engine_connection e set status = 'pending', revision = e.revision + 1, due_at = now(), attempts = 0
      from unnest($1::uuid[], $2::int[]) r(id, revision) where e.id = r.id and e.revision = r.revision and e.status = 'live' returning e.id`,
    values: [read.map(({ id }) => id), read.map(({ revision }) => revision)],
  });
  return rows.map((row) => row.id);
}

/** Deletes a partner's rows, or those of one client, except those that a writer holds; `busy` is their number. */
export async function forgetConnections(
  tx: SystemTx,
  partnerId: string,
  clientId: string | null,
): Promise<{ forgotten: { projectId: string }[]; busy: number }> {
  const forgotten = await runStatement<'credentials_forget_connections', { projectId: string }>(tx, {
    name: 'credentials_forget_connections',
    text: `delete from engine_connection where partner_id = $1 and ($2::uuid is null or client_id = $2)
      and (claimed_until is null or claimed_until <= now()) returning project_id`,
    values: [partnerId, clientId],
  });
  const [left] = await runStatement<'credentials_busy_connections', { busy: number }>(tx, {
    name: 'credentials_busy_connections',
    text: 'select count(*)::int as busy from engine_connection where partner_id = $1 and ($2::uuid is null or client_id = $2)',
    values: [partnerId, clientId],
  });
  return { forgotten, busy: left?.busy ?? 0 };
}

export type UnboundConnection = { id: string; projectId: string; externalId: string; revision: number };

/** Claims the connections of a slot that no agent of its owner needs, except those that a writer holds; `busy` is their number. */
export async function claimUnneeded(
  tx: SystemTx,
  slot: Slot,
  templateNames: readonly string[],
  leaseSeconds: number,
): Promise<{ claimed: UnboundConnection[]; busy: number }> {
  const rows = await runStatement<'credentials_claim_unneeded', UnboundConnection & { isBusy: boolean }>(tx, {
    name: 'credentials_claim_unneeded',
    text: `with unneeded as (
        select e.id, e.project_id, e.external_id, e.revision, e.claimed_until > now() as is_busy from engine_connection e
        where e.partner_id = $1 and e.client_id is not distinct from $2::uuid and e.provider = $3
          and not exists (select 1 from workflow w where w.partner_id = $1 and w.client_id is not distinct from $2::uuid and w.template_name = any($4))
        for update
      ), claimed as (
        update engine_connection e set claimed_until = now() + make_interval(secs => $5) from unneeded u where e.id = u.id and u.is_busy is not true
      )
      select id, project_id, external_id, revision, coalesce(is_busy, false) as is_busy from unneeded`,
    values: [slot.partnerId, slot.clientId, slot.provider, templateNames, leaseSeconds],
  });
  const claimed = rows.filter((row) => !row.isBusy);
  return { claimed, busy: rows.length - claimed.length };
}

/**
 * Deletes the row after the engine has deleted the connection. If it has been bound or saved again since, it stays and is due at once.
 * Returns its id when it must be written.
 */
export async function forgetUnneeded(tx: SystemTx, connection: UnboundConnection): Promise<string | undefined> {
  const [row] = await runStatement<'credentials_forget_unneeded', { id: string }>(tx, {
    name: 'credentials_forget_unneeded',
    text: `with gone as (delete from engine_connection where id = $1 and revision = $2)
      update engine_connection set status = 'pending', revision = revision + 1, due_at = now(), claimed_until = null where id = $1 and revision <> $2 returning id`,
    values: [connection.id, connection.revision],
  });
  return row?.id;
}
