import { DELIVERY_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx } from '#platform/db/tx.ts';

export type RecoveryRow = {
  id: string;
  partnerId: string;
  endpointId: string;
  since: Date;
  until: Date;
  status: 'running' | 'completed' | 'cancelled';
  total: number;
  queued: number;
  position: string | null;
  delivered: number;
  failed: number;
  pending: number;
  createdAt: Date;
  finishedAt: Date | null;
};
export type Window = { since: Date; until: Date };
export type EndpointKey = { partnerId: string; endpointId: string };

/**
 * Selects deliveries that an endpoint missed and that are still shown: first deliveries of events in the window that failed and have no redelivery that is delivered or pending. The ids
 * prune partitions; the times decide. Test events are never missed.
 */
const MISSED = `delivery d where d.partner_id = $1 and d.endpoint_id = $2 and d.id >= uuid_floor(greatest($3::timestamptz, now() - make_interval(days => ${DELIVERY_DAYS}))) and d.id < uuid_floor($4::timestamptz + interval '1 hour')
  and d.created_at >= $3 and d.created_at < $4 and d.status = 'failed' and d.redelivery_of is null and d.event_type <> 'webhook.test'
  and not exists (select from delivery x where x.redelivery_of = d.id and x.status <> 'failed')`;

export type Missed = { count: number; oldest: Date | null; newest: Date | null };

export async function countMissed(tx: TenantTx, { partnerId, endpointId }: EndpointKey, { since, until }: Window): Promise<Missed> {
  const [row] = await runStatement<'recovery_count_missed', Missed>(tx, {
    name: 'recovery_count_missed',
    text: `select count(*)::int as count, min(d.created_at) as oldest, max(d.created_at) as newest from ${MISSED}`,
    values: [partnerId, endpointId, since, until],
  });
  return row ?? { count: 0, oldest: null, newest: null };
}

export type MissedDelivery = { id: string; eventId: string; eventType: string; body: string };

/** The next missed events of a recovery, in their original order. */
export async function listMissed(tx: TenantTx, recovery: RecoveryRow, batch: number): Promise<MissedDelivery[]> {
  return runStatement<'recovery_list_missed', MissedDelivery>(tx, {
    name: 'recovery_list_missed',
    text: `select d.id, d.event_id, d.event_type, d.body from ${MISSED} and ($5::uuid is null or d.id > $5) order by d.id limit $6`,
    values: [recovery.partnerId, recovery.endpointId, recovery.since, recovery.until, recovery.position, batch],
  });
}

const COLUMNS = 'r.id, r.partner_id, r.endpoint_id, r.since, r.until, r.status, r.total, r.queued, r.position, r.created_at, r.finished_at';
const COUNTS = `(select count(*) filter (where d.status = 'delivered')::int from delivery d where d.recovery_id = r.id) as delivered,
  (select count(*) filter (where d.status = 'failed')::int from delivery d where d.recovery_id = r.id) as failed,
  (select count(*) filter (where d.status = 'pending')::int from delivery d where d.recovery_id = r.id) as pending`;

/** Inserts a recovery; undefined while another one of this endpoint runs. */
export async function insertRecovery(
  tx: TenantTx,
  recovery: EndpointKey & Window & { total: number; requestedBy: string },
): Promise<string | undefined> {
  const [row] = await runStatement<'recovery_insert', { id: string }>(tx, {
    name: 'recovery_insert',
    text: `insert into webhook_recovery (partner_id, endpoint_id, since, until, total, requested_by) values ($1, $2, $3, $4, $5, $6)
      on conflict (endpoint_id) where status = 'running' do nothing returning id`,
    values: [recovery.partnerId, recovery.endpointId, recovery.since, recovery.until, recovery.total, recovery.requestedBy],
  });
  return row?.id;
}

/** Newest first. */
export async function listRecoveries(tx: TenantTx, { partnerId, endpointId }: EndpointKey, limit: number): Promise<RecoveryRow[]> {
  return runStatement<'recovery_list', RecoveryRow>(tx, {
    name: 'recovery_list',
    text: `select ${COLUMNS}, ${COUNTS} from webhook_recovery r where r.partner_id = $1 and r.endpoint_id = $2 order by r.id desc limit $3`,
    values: [partnerId, endpointId, limit],
  });
}

export async function findRecovery(tx: TenantTx, { partnerId, endpointId }: EndpointKey, id: string): Promise<RecoveryRow | undefined> {
  const [row] = await runStatement<'recovery_find', RecoveryRow>(tx, {
    name: 'recovery_find',
    text: `select ${COLUMNS}, ${COUNTS} from webhook_recovery r where r.partner_id = $1 and r.endpoint_id = $2 and r.id = $3`,
    values: [partnerId, endpointId, id],
  });
  return row;
}

/** Locks a recovery and returns it with the state of its endpoint. */
export async function lockRecovery(
  tx: TenantTx,
  partnerId: string,
  id: string,
): Promise<(RecoveryRow & { endpointActive: boolean }) | undefined> {
  // Locks first, so that the next statement reads the committed state.
  await runStatement(tx, {
    name: 'recovery_lock',
    text: 'select from webhook_recovery where partner_id = $1 and id = $2 for update',
    values: [partnerId, id],
  });
  const [row] = await runStatement<'recovery_read_locked', RecoveryRow & { endpointActive: boolean }>(tx, {
    name: 'recovery_read_locked',
    text: `select ${COLUMNS}, ${COUNTS}, e.is_active and e.deleted_at is null as endpoint_active
      from webhook_recovery r join webhook_endpoint e on e.id = r.endpoint_id where r.partner_id = $1 and r.id = $2`,
    values: [partnerId, id],
  });
  return row;
}

export async function advanceRecovery(tx: TenantTx, id: string, by: { count: number; position: string }): Promise<void> {
  await runStatement(tx, {
    name: 'recovery_advance',
    text: 'update webhook_recovery set queued = queued + $2, position = $3 where id = $1',
    values: [id, by.count, by.position],
  });
}

export async function endRecovery(tx: TenantTx, id: string, status: 'completed' | 'cancelled'): Promise<void> {
  await runStatement(tx, {
    name: 'recovery_end',
    text: "update webhook_recovery set status = $2, finished_at = now() where id = $1 and status = 'running'",
    values: [id, status],
  });
}

/** Ends the running recovery of an endpoint, if any. */
export async function cancelRunning(tx: TenantTx, { partnerId, endpointId }: EndpointKey): Promise<void> {
  await runStatement(tx, {
    name: 'recovery_cancel_running',
    text: "update webhook_recovery set status = 'cancelled', finished_at = now() where partner_id = $1 and endpoint_id = $2 and status = 'running'",
    values: [partnerId, endpointId],
  });
}

export async function listRunningRecoveries(tx: SystemTx): Promise<{ id: string; partnerId: string }[]> {
  return runStatement<'recovery_list_running', { id: string; partnerId: string }>(tx, {
    name: 'recovery_list_running',
    text: "select id, partner_id from webhook_recovery where status = 'running' order by id",
  });
}
