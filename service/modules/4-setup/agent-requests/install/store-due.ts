import { type InstanceStatus, OPEN_REQUEST_STATUSES, type Provider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { requestsChanged } from '../topic.ts';

/** When a request's installation is due, and what blocks it. */

/** Status of the partner's instance; `unprovisioned` without a row. */
export async function readInstanceStatus(tx: SystemTx, partnerId: string): Promise<InstanceStatus> {
  const [row] = await runStatement<'agent_request_instance', { status: InstanceStatus }>(tx, {
    name: 'agent_request_instance',
    text: 'select status from automation_instance where partner_id = $1',
    values: [partnerId],
  });
  return row?.status ?? 'unprovisioned';
}

/** Numbers a new installation, so that an older one that ends late writes nothing. */
export async function countRun(tx: SystemTx, id: string, dueAt: Date): Promise<number> {
  const [row] = await runStatement<'agent_request_count_run', { run: number }>(tx, {
    name: 'agent_request_count_run',
    text: 'update agent_request set run = run + 1, due_at = $2 where id = $1 returning run',
    values: [id, dueAt],
  });
  return row?.run ?? 0;
}

export async function setDue(tx: SystemTx, id: string, dueAt: Date | null, missingProviders?: readonly Provider[]): Promise<void> {
  await runStatement(tx, {
    name: 'agent_request_set_due',
    text: 'update agent_request set due_at = $2, missing_providers = coalesce($3, missing_providers) where id = $1',
    values: [id, dueAt, missingProviders ?? null],
  });
}

/**
 * Locks the running installations that need the credential of this slot. An installation that fails meanwhile checks again what is missing, and could
 * not see an uncommitted save.
 */
export async function holdInstalling(tx: Tx, slot: { partnerId: string; clientId: string | null }): Promise<void> {
  await runStatement(tx, {
    name: 'agent_request_hold_installing',
    text: `select from agent_request where partner_id = $1 and ($2::uuid is null or client_id = $2) and status = 'provisioning'
      order by id for no key update`,
    values: [slot.partnerId, slot.clientId],
  });
}

/** Marks failed requests that lacked a credential of this provider as due. A partner's credential counts for all its clients. */
export async function markWaitingDue(
  tx: Tx,
  slot: { partnerId: string; clientId: string | null; provider: string },
  dueAt: Date,
): Promise<string[]> {
  const rows = await runStatement<'agent_request_mark_due', { id: string }>(tx, {
    name: 'agent_request_mark_due',
    text: `update agent_request set due_at = $4 where partner_id = $1 and ($2::uuid is null or client_id = $2)
      and status = 'provisioning_failed' and $3 = any(missing_providers) returning id`,
    values: [slot.partnerId, slot.clientId, slot.provider, dueAt],
  });
  return rows.map((row) => row.id);
}

/** Announces the open requests that a credential of this slot may be for. What a request lacks is not in its row, so no write of the row does. */
export async function announceRequestsOf(tx: Tx, slot: { partnerId: string; clientId: string | null }): Promise<void> {
  await runStatement(tx, {
    name: 'agent_request_announce_lacking',
    text: `select pg_notify($4, json_build_object('partnerId', partner_id, 'id', id)::text) from agent_request
      where partner_id = $1 and ($2::uuid is null or client_id = $2) and status = any($3) and template_name is not null`,
    values: [slot.partnerId, slot.clientId, OPEN_REQUEST_STATUSES, requestsChanged.channel],
  });
}

/** Requests of a partner that wait for its instance. */
export async function listWaiting(tx: Tx, partnerId: string): Promise<string[]> {
  const rows = await runStatement<'agent_request_waiting', { id: string }>(tx, {
    name: 'agent_request_waiting',
    text: "select id from agent_request where partner_id = $1 and status = 'approved' and due_at is not null order by id limit 500",
    values: [partnerId],
  });
  return rows.map((row) => row.id);
}

export async function listOverdue(tx: SystemTx, before: Date, batch: number): Promise<string[]> {
  const rows = await runStatement<'agent_request_overdue', { id: string }>(tx, {
    name: 'agent_request_overdue',
    text: 'select id from agent_request where due_at <= $1 order by due_at limit $2',
    values: [before, batch],
  });
  return rows.map((row) => row.id);
}
