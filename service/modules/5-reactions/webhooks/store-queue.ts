import type { DeliveryReason } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';
import type { DataKeyRow } from '#schema/data-key-columns.ts';

/** The delivery queue. Claiming and recording cross tenants: each is one call of a definer function with arrays. */

/** Free slots of each lane (endpoint) and partner; `lane` and `partner` are the defaults for those not listed. */
export type Capacity = {
  lane: number;
  partner: number;
  lanes: { endpointId: string; free: number }[];
  partners: { partnerId: string; free: number }[];
};

export type ClaimedDelivery = DataKeyRow & {
  /** `send`: attempt `n` is recorded; `lapsed`: the lease of attempt `n` expired; `inactive`: the endpoint is off or removed. */
  kind: 'send' | 'lapsed' | 'inactive';
  deliveryId: string;
  partnerId: string;
  endpointId: string;
  n: number;
  attemptCount: number;
  interruptedCount: number;
  eventType: string | null;
  body: string | null;
  url: string | null;
  secretSealed: Buffer | null;
  secretKeyId: string | null;
  traceparent: string | null;
};

/** Claims for `worker`, which never claims its own rows again. */
export function claimDeliveries(
  db: Database,
  worker: string,
  options: { batch: number; leaseSeconds: number; capacity: Capacity },
): Promise<ClaimedDelivery[]> {
  const { batch, leaseSeconds, capacity } = options;
  return db.call<'claim_deliveries', ClaimedDelivery>({
    name: 'claim_deliveries',
    text: 'select * from claim_deliveries($1, $2, $3, $4, $5, $6::uuid[], $7::int[], $8::uuid[], $9::int[])',
    values: [
      worker,
      batch,
      leaseSeconds,
      capacity.lane,
      capacity.partner,
      capacity.lanes.map((one) => one.endpointId),
      capacity.lanes.map((one) => one.free),
      capacity.partners.map((one) => one.partnerId),
      capacity.partners.map((one) => one.free),
    ],
  });
}

/** Outcome of attempt `n` of a delivery and its next step. */
export type Settlement = {
  /** Worker that claimed the delivery. */
  worker: string;
  deliveryId: string;
  partnerId: string;
  endpointId: string;
  n: number;
  next: 'delivered' | 'again' | 'failed';
  reason: DeliveryReason | null;
  waitMs: number;
  /** Whether it counts towards the maximum of attempts. */
  counts: boolean;
  interrupted: boolean;
  httpStatus: number | null;
  durationMs: number | null;
  error: string | null;
  preview: string | null;
  /** Header `X-Service-Signature` as it was sent; null without an attempt. */
  signature: string | null;
};

const SETTLE = `select settle_deliveries($1::text[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::int[], $9::boolean[], $10::boolean[],
    $11::int[], $12::int[], $13::text[], $14::text[], $15::text[])`;

/** Records outcomes. Idempotent: a recorded outcome does not change again. */
export async function settleDeliveries(db: Database, settlements: readonly Settlement[]): Promise<void> {
  const pick = <K extends keyof Settlement>(key: K): Settlement[K][] => settlements.map((one) => one[key]);
  await db.call({
    name: 'settle_deliveries',
    text: SETTLE,
    values: [
      pick('worker'),
      pick('deliveryId'),
      pick('partnerId'),
      pick('endpointId'),
      pick('n'),
      pick('next'),
      pick('reason'),
      pick('waitMs'),
      pick('counts'),
      pick('interrupted'),
      pick('httpStatus'),
      pick('durationMs'),
      pick('error'),
      pick('preview'),
      pick('signature'),
    ],
  });
}

/** An event to deliver; `body` is what is signed. */
export type OutgoingEvent = { eventId: string; partnerId: string; type: string; body: string; traceparent: string | null };

/** Inserts one delivery per event and endpoint of its partner that is sent this type. For an inactive endpoint it is stored as failed, so that it can be resent. */
export async function insertDeliveries(tx: SystemTx, events: readonly OutgoingEvent[]): Promise<void> {
  await runStatement(tx, {
    name: 'insert_deliveries',
    text: `with item as (
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) with ordinality as t(event_id, partner_id, type, body, traceparent, ord)
      ), made as (
        insert into delivery (partner_id, endpoint_id, event_id, event_type, body, traceparent, status, reason, due_at, finished_at)
        select i.partner_id, e.id, i.event_id, i.type, i.body, i.traceparent, case when e.is_active then 'pending' else 'failed' end,
          case when e.is_active then null else 'endpoint_inactive' end, case when e.is_active then now() end, case when e.is_active then null else now() end
        from item i join webhook_endpoint e on e.partner_id = i.partner_id and e.deleted_at is null and (e.events = '{}' or i.type = any (e.events)) order by i.ord, e.id
        returning id, partner_id, endpoint_id, status
      ), queued as (
        insert into delivery_queue (delivery_id, partner_id, endpoint_id) select m.id, m.partner_id, m.endpoint_id from made m where m.status = 'pending'
      )
      select notify_deliveries(array_agg(m.partner_id), array_agg(m.endpoint_id)) from made m`,
    values: [
      events.map((event) => event.eventId),
      events.map((event) => event.partnerId),
      events.map((event) => event.type),
      events.map((event) => event.body),
      events.every((event) => event.traceparent === null) ? null : events.map((event) => event.traceparent),
    ],
  });
}

export type NewDelivery = {
  partnerId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  /** The signed bytes; a redelivery has those of the original. */
  body: string;
  redeliveryOf?: string | null;
  recoveryId?: string | null;
};

/** Queues deliveries for single endpoints in the given order; returns their ids. */
export async function insertQueued(tx: Tx, deliveries: readonly NewDelivery[]): Promise<string[]> {
  const rows = await runStatement<'insert_queued_deliveries', { id: string }>(tx, {
    name: 'insert_queued_deliveries',
    text: `with item as (
        select uuidv7() as id, t.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::uuid[]) with ordinality
          as t(partner_id, endpoint_id, event_id, event_type, body, redelivery_of, recovery_id, ord)
      ), made as (
        insert into delivery (id, partner_id, endpoint_id, event_id, event_type, body, redelivery_of, recovery_id, due_at)
        select i.id, i.partner_id, i.endpoint_id, i.event_id, i.event_type, i.body, i.redelivery_of, i.recovery_id, now() from item i
      ), queued as (
        insert into delivery_queue (delivery_id, partner_id, endpoint_id) select i.id, i.partner_id, i.endpoint_id from item i
      ), notified as (
        select notify_deliveries(array_agg(i.partner_id), array_agg(i.endpoint_id)) from item i
      )
      select i.id from item i, notified order by i.ord`,
    values: [
      deliveries.map((one) => one.partnerId),
      deliveries.map((one) => one.endpointId),
      deliveries.map((one) => one.eventId),
      deliveries.map((one) => one.eventType),
      deliveries.map((one) => one.body),
      deliveries.map((one) => one.redeliveryOf ?? null),
      deliveries.map((one) => one.recoveryId ?? null),
    ],
  });
  return rows.map((row) => row.id);
}

/**
 * Fails what is queued and not in flight for an endpoint, or for one recovery of it. The caller holds the endpoint's lock. Waits for locked
 * queue rows, since a claim that finds a row no longer due leaves it queued. Returns how many.
 */
export async function failQueuedRows(
  tx: Tx,
  which: { partnerId: string; endpointId: string; recoveryId?: string },
  reason: DeliveryReason,
): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'fail_waiting_deliveries',
    text: `with waiting as (
        select q.delivery_id from delivery_queue q where q.partner_id = $1 and q.endpoint_id = $2 and q.claimed_by is null
          and ($3::uuid is null or exists (select from delivery d where d.id = q.delivery_id and d.recovery_id = $3))
        for update of q
      ), gone as (
        delete from delivery_queue q using waiting w where q.delivery_id = w.delivery_id returning q.delivery_id
      ), ended as (
        update delivery d set status = 'failed', reason = $4, due_at = null, finished_at = now() from gone g where d.id = g.delivery_id and d.status = 'pending'
        returning d.id
      ), notified as (
        select notify_deliveries(array[$1::uuid], array[$2::uuid]) where exists (select from ended)
      )
      select e.id from ended e, notified`,
    values: [which.partnerId, which.endpointId, which.recoveryId ?? null, reason],
  });
  return rows.length;
}

/** Number of queued deliveries, those in flight included. */
export async function countQueued(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'webhooks_count_queued', { waiting: number }>(tx, {
    name: 'webhooks_count_queued',
    prepare: false,
    text: 'select count(*) as waiting from delivery_queue',
  });
  return row?.waiting ?? 0;
}
