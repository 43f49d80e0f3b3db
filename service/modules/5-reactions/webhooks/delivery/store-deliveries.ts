import type { AttemptError, DeliveryReason, DeliveryStatus } from '@partner-portal/contract/vocabulary.ts';
import { DELIVERY_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

/** Deliveries as users read them; the queue's statements are in store-queue.ts. */

export type DeliveryRow = {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  body: string;
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  attemptCount: number;
  dueAt: Date | null;
  redeliveryOf: string | null;
  recoveryId: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};
export type AttemptRow = {
  deliveryId: string;
  n: number;
  at: Date;
  httpStatus: number | null;
  durationMs: number | null;
  error: AttemptError | null;
  responsePreview: string | null;
  signature: string | null;
};

const COLUMNS =
  'd.id, d.endpoint_id, d.event_id, d.event_type, d.body, d.status, d.reason, d.attempt_count, d.due_at, d.redelivery_of, d.recovery_id, d.created_at, d.finished_at';

const SHOWN = `d.id >= uuid_floor(now() - make_interval(days => ${DELIVERY_DAYS}))`;

/** Newest first. */
export async function listDeliveries(tx: TenantTx, partnerId: string, endpointId: string, limit: number): Promise<DeliveryRow[]> {
  return runStatement<'delivery_list', DeliveryRow>(tx, {
    name: 'delivery_list',
    text: `select ${COLUMNS} from delivery d where d.partner_id = $1 and d.endpoint_id = $2 and ${SHOWN} order by d.id desc limit $3`,
    values: [partnerId, endpointId, limit],
  });
}

export async function findDelivery(tx: TenantTx, partnerId: string, endpointId: string, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await runStatement<'delivery_find', DeliveryRow>(tx, {
    name: 'delivery_find',
    text: `select ${COLUMNS} from delivery d where d.partner_id = $1 and d.endpoint_id = $2 and d.id = $3 and ${SHOWN}`,
    values: [partnerId, endpointId, id],
  });
  return row;
}

export async function listAttempts(tx: TenantTx, partnerId: string, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return [];
  return runStatement<'delivery_attempts', AttemptRow>(tx, {
    name: 'delivery_attempts',
    text: `select a.delivery_id, a.n, a.at, a.http_status, a.duration_ms, a.error, a.response_preview, a.signature from delivery_attempt a
      where a.partner_id = $1 and a.delivery_id = any($2::uuid[]) order by a.delivery_id, a.n`,
    values: [partnerId, deliveryIds],
  });
}

export async function readPartnerName(tx: TenantTx, partnerId: string): Promise<string> {
  const [row] = await runStatement<'webhooks_partner_name', { name: string }>(tx, {
    name: 'webhooks_partner_name',
    text: 'select name from partner where id = $1',
    values: [partnerId],
  });
  if (!row) throw new Error(`The partner ${partnerId} of a delivery is missing.`);
  return row.name;
}
