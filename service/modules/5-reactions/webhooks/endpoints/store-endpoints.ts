import type { DeliveryStatus, EventType } from '@partner-portal/contract/vocabulary.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

export type EndpointRow = {
  id: string;
  partnerId: string;
  url: string;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
  lastDeliveryStatus: DeliveryStatus | null;
  lastDeliveryAt: Date | null;
  failureStreak: number;
  /** Event types that are sent; empty: all. */
  events: EventType[];
};

const COLUMNS =
  'e.id, e.partner_id, e.url, e.is_active, e.created_at, e.updated_at, e.last_delivery_status, e.last_delivery_at, e.failure_streak, e.events';
const RECENT = `newest_statuses(e.partner_id, e.id, ${LIMITS.deliveriesListed}) as recent`;

export type EndpointView = EndpointRow & { recent: DeliveryStatus[] };

/** Newest first. */
export async function listEndpoints(tx: TenantTx, partnerId: string): Promise<EndpointView[]> {
  return runStatement<'webhook_list', EndpointView>(tx, {
    name: 'webhook_list',
    text: `select ${COLUMNS}, ${RECENT} from webhook_endpoint e where e.partner_id = $1 and e.deleted_at is null order by e.created_at desc, e.id desc`,
    values: [partnerId],
  });
}

export async function findEndpoint(tx: TenantTx, partnerId: string, id: string): Promise<EndpointView | undefined> {
  const [row] = await runStatement<'webhook_find', EndpointView>(tx, {
    name: 'webhook_find',
    text: `select ${COLUMNS}, ${RECENT} from webhook_endpoint e where e.partner_id = $1 and e.id = $2 and e.deleted_at is null`,
    values: [partnerId, id],
  });
  return row;
}

/** Locks the endpoint until the transaction ends. Lock order: endpoints before their queue. */
export async function lockEndpoint(tx: TenantTx, partnerId: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await runStatement<'webhook_lock', EndpointRow>(tx, {
    name: 'webhook_lock',
    text: `select ${COLUMNS} from webhook_endpoint e where e.partner_id = $1 and e.id = $2 and e.deleted_at is null for no key update of e`,
    values: [partnerId, id],
  });
  return row;
}

/** Counts the partner's endpoints with the partner's row locked, so that concurrent registrations count each other. */
export async function countEndpointsLocked(tx: TenantTx, partnerId: string): Promise<number> {
  // Two statements: a count in the locking one would not see rows committed while it waited.
  await runStatement(tx, {
    name: 'webhook_lock_partner',
    text: 'select from partner where id = $1 for no key update',
    values: [partnerId],
  });
  const [row] = await runStatement<'webhook_count', { count: number }>(tx, {
    name: 'webhook_count',
    text: 'select count(*)::int as count from webhook_endpoint where partner_id = $1 and deleted_at is null',
    values: [partnerId],
  });
  return row?.count ?? 0;
}

export type NewEndpoint = {
  id: string;
  partnerId: string;
  url: string;
  events: readonly EventType[];
  secretSealed: Buffer;
  secretKeyId: string;
  createdBy: string;
};

export async function insertEndpoint(tx: TenantTx, endpoint: NewEndpoint): Promise<EndpointRow> {
  const [row] = await runStatement<'webhook_insert', EndpointRow>(tx, {
    name: 'webhook_insert',
    text: `insert into webhook_endpoint as e (id, partner_id, url, secret_sealed, secret_key_id, created_by, events) values ($1, $2, $3, $4, $5, $6, $7::text[])
      returning ${COLUMNS}`,
    values: [
      endpoint.id,
      endpoint.partnerId,
      endpoint.url,
      endpoint.secretSealed,
      endpoint.secretKeyId,
      endpoint.createdBy,
      endpoint.events,
    ],
  });
  if (!row) throw new Error('A webhook endpoint was not stored.');
  return row;
}

export async function updateEndpoint(
  tx: TenantTx,
  id: string,
  change: { url: string; isActive: boolean; events: readonly EventType[] },
): Promise<void> {
  await runStatement(tx, {
    name: 'webhook_update',
    text: 'update webhook_endpoint set url = $2, is_active = $3, events = $4::text[] where id = $1',
    values: [id, change.url, change.isActive, change.events],
  });
}

/** Keeps the row for the delivery log and erases its secret. */
export async function removeEndpoint(tx: TenantTx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'webhook_remove',
    text: 'update webhook_endpoint set is_active = false, deleted_at = now(), secret_sealed = null, secret_key_id = null where id = $1',
    values: [id],
  });
}

export type StaffEndpointRow = EndpointRow & {
  partnerName: string;
  contactEmail: string | null;
  delivered24h: number;
  failed24h: number;
  pending: number;
};
export type StaffEndpointFilters = { partnerId: string | null; failing: boolean | undefined };

/** Endpoints of all partners, newest first. */
export async function listEndpointsForStaff(
  tx: SystemTx,
  filters: StaffEndpointFilters,
  page: { after: string | null; limit: number },
): Promise<StaffEndpointRow[]> {
  return runStatement<'webhook_list_for_staff', StaffEndpointRow>(tx, {
    name: 'webhook_list_for_staff',
    text: `select ${COLUMNS}, p.name as partner_name, coalesce(d.delivered, 0)::int as delivered_24h, coalesce(d.failed, 0)::int as failed_24h,
        (select count(*)::int from delivery_queue q where q.partner_id = e.partner_id and q.endpoint_id = e.id) as pending,
        coalesce(p.support_email, (select u.email from app_user u where u.partner_id = p.id and u.role = 'PARTNER' and u.partner_role = 'admin' and u.status = 'active'
          order by u.id limit 1)) as contact_email
      from (select e.* from webhook_endpoint e
        where e.deleted_at is null and ($1::uuid is null or e.partner_id = $1) and ($2::boolean is null or (e.failure_streak > 0) = $2) and ($3::uuid is null or e.id < $3)
        order by e.id desc limit $4) e
      join partner p on p.id = e.partner_id
      left join lateral (select count(*) filter (where x.status = 'delivered') as delivered, count(*) filter (where x.status = 'failed') as failed
        from delivery x where x.partner_id = e.partner_id and x.endpoint_id = e.id and x.id >= uuid_floor(now() - interval '24 hours')) d on true
      order by e.id desc`,
    values: [filters.partnerId, filters.failing ?? null, page.after, page.limit + 1],
  });
}

export type SealedSecretRow = DataKeyRow & { id: string; partnerId: string; secretSealed: Buffer; secretKeyId: string };

/** Secrets of earlier versions, which a master key sealed: its id is shorter than that of a data key. Those under a destroyed key are left. */
const OLD = 'e.deleted_at is null and length(e.secret_key_id) <= 32 and k.destroyed_at is null';
const OLD_TABLES = 'webhook_endpoint e left join partner_data_key k on k.partner_id = e.partner_id';

export async function claimOldSecrets(tx: SystemTx, afterId: string, batch: number): Promise<SealedSecretRow[]> {
  return runStatement<'webhooks_claim_old_secrets', SealedSecretRow>(tx, {
    name: 'webhooks_claim_old_secrets',
    prepare: false,
    text: `select e.id, e.partner_id, e.secret_sealed, e.secret_key_id, ${DATA_KEY} from ${OLD_TABLES} where ${OLD} and e.id > $1
      order by e.id limit $2 for no key update of e`,
    values: [afterId, batch],
  });
}

export async function countOldSecrets(tx: Tx): Promise<number> {
  const [row] = await runStatement<'webhooks_count_old_secrets', { count: number }>(tx, {
    name: 'webhooks_count_old_secrets',
    prepare: false,
    text: `select count(*)::int as count from ${OLD_TABLES} where ${OLD}`,
  });
  return row?.count ?? 0;
}

type FreshSecret = { id: string; secretSealed: Buffer; secretKeyId: string };

export async function replaceSecrets(tx: SystemTx, fresh: readonly FreshSecret[]): Promise<void> {
  await runStatement(tx, {
    name: 'webhooks_replace_secrets',
    prepare: false,
    text: `update webhook_endpoint e set secret_sealed = n.secret_sealed, secret_key_id = n.secret_key_id
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(id, secret_sealed, secret_key_id) where e.id = n.id and e.deleted_at is null`,
    values: [fresh.map((one) => one.id), fresh.map((one) => one.secretSealed), fresh.map((one) => one.secretKeyId)],
  });
}
