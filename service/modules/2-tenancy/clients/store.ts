import type { UserRow } from '#schema/user-row.ts';
import type { Locale, ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { changedColumns } from '#platform/db/changed-columns.ts';
import { KEPT_PAGE_MAX } from '#platform/db/kept-page.ts';
import { containing } from '#platform/db/like.ts';
import { runStatement, type TypedStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

export type BusinessProfile = { [key in ProfileKey]?: string | undefined };

export type ClientFacts = {
  id: string;
  partnerId: string;
  name: string;
  status: string;
  contactName: string | null;
  contactEmail: string | null;
  phone: string | null;
  website: string | null;
  timezone: string;
  locale: string;
  industry: string | null;
  externalRef: string | null;
  notes: string | null;
  businessProfile: BusinessProfile;
  textCountries: string[] | null;
  firstContactsPerHour: number | null;
  agents: number;
  runs30d: number;
  failures30d: number;
  health: string;
  lastActivityAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = `c.id, c.partner_id, c.name, c.status, c.contact_name, c.contact_email, c.phone, c.website, c.timezone, c.locale, c.industry, c.external_ref, c.notes, c.business_profile, c.text_countries, c.first_contacts_per_hour,
  coalesce(a.agents, 0)::int as agents, coalesce(h.runs, 0)::int as runs_30d, coalesce(h.failed, 0)::int as failures_30d,
  coalesce(a.health, 'not_installed') as health, a.last_activity_at, c.created_at, c.updated_at`;
/** Health of a client is that of its worst agent; paused and uninstalled agents count only when there is no other. */
const AGENTS = `left join lateral (
    select count(*) as agents, max(x.last_run_at) as last_activity_at,
      case when bool_or(x.health = 'failing') then 'failing' when bool_or(x.health = 'silent') then 'silent' when bool_or(x.health = 'ok') then 'ok'
        when bool_or(x.health = 'paused') then 'paused' else 'not_installed' end as health
    from (select w.last_run_at, agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days, awaited_from(w.id, w.partner_id, w.on_since, w.last_run_at)) as health
      from workflow w left join alert_rules r on r.partner_id = w.partner_id where w.client_id = c.id) x
  ) a on true`;
const HOURS = `left join lateral (select sum(y.succeeded + y.failed) as runs, sum(y.failed) as failed from workflow_hour y
    where y.partner_id = c.partner_id and y.client_id = c.id and y.hour >= now() - interval '30 days') h on true`;

export type ClientFilters = { partnerId: string | null; q?: string | undefined; status?: string | undefined; health?: string | undefined };

/** How many clients one page of a list by health looks at: the health of each is that of its agents, which no index answers. */
export const HEALTH_WINDOW = 2_000;

/** Newest clients that staff's search compares one by one before it asks the index of texts, which is read whole and sorted. */
const NEAR = 2_000;

/** The agency as a value that the planner does not know: for a large one it would walk the clients of all agencies, newest first, and those may all be others'. */
const MATCHING = `($1::uuid is null or c.partner_id = (select $1::uuid))
  and ($2::text is null or c.name ilike $2 or c.contact_name ilike $2 or c.contact_email ilike $2 or c.external_ref ilike $2)
  and c.status = any(case when $3::text is null then array['active', 'suspended'] else array[$3] end)
  and ($5::uuid is null or c.id < $5)`;

/** Newest first. Archived and deleted clients are listed only when filtered for. `lastLooked` is where the next page starts when the window ended before the page was full. */
export async function listClients(
  tx: Tx,
  filters: ClientFilters,
  page: { after: string | null; limit: number },
): Promise<{ rows: ClientFacts[]; lastLooked: string | null }> {
  const { partnerId, ...others } = filters;
  const isPlain = Object.values(others).every((one) => one === undefined);
  if (page.limit < KEPT_PAGE_MAX && partnerId !== null && page.after === null && isPlain)
    return { rows: await listFirst(tx, partnerId, page.limit + 1), lastLooked: null };
  const values = [
    filters.partnerId,
    filters.q?.trim() ? containing(filters.q.trim()) : null,
    filters.status ?? null,
    filters.health ?? null,
    page.after,
    page.limit + 1,
  ] as const;
  if (filters.health === undefined && partnerId === null && values[1] !== null)
    return { rows: await searchClients(tx, values), lastLooked: null };
  if (filters.health === undefined) {
    const rows = await runStatement<'clients_list_clients', ClientFacts>(tx, {
      name: 'clients_list_clients',
      prepare: false,
      // The page first: what its clients did is added up for them alone.
      text: `select ${COLUMNS} from (
          select c.* from client c where $4::text is null and ${MATCHING} order by c.id desc limit $6
        ) c ${AGENTS} ${HOURS} order by c.id desc`,
      values,
    });
    return { rows, lastLooked: null };
  }
  const rows = await runStatement<'clients_list_by_health', Partial<ClientFacts> & { lastLooked: string | null }>(tx, {
    name: 'clients_list_by_health',
    prepare: false,
    text: `with looked as materialized (
        select c.* from client c where ${MATCHING} order by c.id desc limit ${HEALTH_WINDOW}
      ), found as materialized (
        select c.* from looked c ${AGENTS} where coalesce(a.health, 'not_installed') = $4::text order by c.id desc limit $6
      ), marked as (
        select case when (select count(*) from found) < $6 and (select count(*) from looked) = ${HEALTH_WINDOW} then (select l.id from looked l order by l.id limit 1) end as last_looked
      )
      select ${COLUMNS}, m.last_looked from marked m left join (found c ${AGENTS} ${HOURS}) on true order by c.id desc`,
    values,
  });
  return {
    rows: rows.filter((row): row is ClientFacts & { lastLooked: string | null } => Boolean(row.id)),
    lastLooked: rows[0]?.lastLooked ?? null,
  };
}

/**
 * Searches the clients of all agencies: a text that many have is found among the newest, one that few or none have by the index of texts. Left to choose, the
 * planner walks all clients for a text that none has.
 */
async function searchClients(tx: Tx, values: NonNullable<TypedStatement<'clients_search_all'>['values']>): Promise<ClientFacts[]> {
  return runStatement<'clients_search_all', ClientFacts>(tx, {
    name: 'clients_search_all',
    prepare: false,
    text: `with near as materialized (
        select c.* from (select c.* from client c where $5::uuid is null or c.id < $5 order by c.id desc limit ${NEAR}) c where $4::text is null and ${MATCHING} order by c.id desc limit $6
      ), far as materialized (
        select c.id from client c where (select count(*) from near) < $6 and ${MATCHING} offset 0
      )
      select ${COLUMNS} from (
        select n.* from near n where (select count(*) from near) >= $6
        union all select c.* from (select f.id from far f order by f.id desc limit $6) f join client c on c.id = f.id
      ) c ${AGENTS} ${HOURS} order by c.id desc`,
    values,
  });
}

/** Lists the first page: the newest clients of an agency. The plan never changes, and the server keeps it. */
async function listFirst(tx: Tx, partnerId: string, limit: number): Promise<ClientFacts[]> {
  return runStatement<'clients_list_first', ClientFacts>(tx, {
    name: 'clients_list_first',
    text: `select ${COLUMNS} from (select n.* from (
        select c.* from client c where c.partner_id = $1 and c.status in ('active', 'suspended') order by c.id desc limit ${KEPT_PAGE_MAX}
      ) n limit $2) c ${AGENTS} ${HOURS} order by c.id desc`,
    values: [partnerId, limit],
  });
}

export async function findClient(tx: Tx, id: string): Promise<ClientFacts | undefined> {
  const [row] = await runStatement<'client_by_id', ClientFacts>(tx, {
    name: 'client_by_id',
    text: `select ${COLUMNS} from client c ${AGENTS} ${HOURS} where c.id = $1 and c.status <> 'deleted'`,
    values: [id],
  });
  return row;
}

/**
 * Locks the partner and returns the client limit of its plan and how many are used; the count holds until the commit. A client whose
 * deletion is approved uses no place.
 */
export async function lockClientLimit(
  tx: Tx,
  partnerId: string,
): Promise<{ partnerName: string; timezone: string; included: number; used: number } | undefined> {
  const [partner] = await runStatement<'clients_count_places', { name: string; timezone: string }>(tx, {
    name: 'clients_count_places',
    prepare: false,
    text: 'select name, timezone from partner where id = $1 for no key update',
    values: [partnerId],
  });
  const places = await countPlaces(tx, partnerId);
  return partner && places ? { partnerName: partner.name, timezone: partner.timezone, ...places } : undefined;
}

/** How many clients the plan includes and how many are used. Without the lock others may take places meanwhile. */
export async function countPlaces(tx: Tx, partnerId: string): Promise<{ included: number; used: number } | undefined> {
  const [row] = await runStatement<'clients_count_places_2', { included: number; used: number }>(tx, {
    name: 'clients_count_places_2',
    prepare: false,
    text: `select coalesce((s.overrides->>'includedClients')::int, g.included_clients) as included,
        (select count(*)::int from client c where c.partner_id = s.partner_id and c.status in ('active', 'suspended')
          and c.suspension_cause is distinct from 'deletion_approved') as used
      from subscription s join plan g on g.id = s.plan_id where s.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

export type ClientChange = {
  name?: string | undefined;
  contactName?: string | null | undefined;
  contactEmail?: string | null | undefined;
  phone?: string | null | undefined;
  website?: string | null | undefined;
  timezone?: string | undefined;
  locale?: Locale | undefined;
  industry?: string | null | undefined;
  externalRef?: string | null | undefined;
  notes?: string | null | undefined;
  businessProfile?: BusinessProfile | undefined;
  textCountries?: string[] | null | undefined;
  firstContactsPerHour?: number | null | undefined;
};

export async function insertClient(
  tx: TenantTx,
  partnerId: string,
  client: ClientChange & { name: string; timezone: string },
): Promise<string> {
  const [row] = await runStatement<'clients_insert_client', { id: string }>(tx, {
    name: 'clients_insert_client',
    prepare: false,
    text: `insert into client (partner_id, name, timezone, contact_name, contact_email, phone, website, locale, industry, external_ref, notes, business_profile,
        text_countries, first_contacts_per_hour)
      values ($1, $2, $3, $4, $5, $6, $7, coalesce($8, 'en'), $9, $10, $11, $12::jsonb, $13, $14) returning id`,
    values: [
      partnerId,
      client.name,
      client.timezone,
      client.contactName ?? null,
      client.contactEmail ?? null,
      client.phone ?? null,
      client.website ?? null,
      client.locale ?? null,
      client.industry ?? null,
      client.externalRef ?? null,
      client.notes ?? null,
      JSON.stringify(client.businessProfile ?? {}),
      client.textCountries ?? null,
      client.firstContactsPerHour ?? null,
    ],
  });
  if (!row) throw new Error('A client was not stored.');
  return row.id;
}

export type LockedClient = Required<{ [Field in keyof ClientChange]: Exclude<ClientChange[Field], undefined> }> & {
  id: string;
  partnerId: string;
  partnerName: string;
  status: string;
  suspensionCause: string | null;
  updatedAt: Date;
};

/** Locks the client against concurrent changes but not against rows that refer to it, whose writers may already hold one of its users. */
export async function lockClient(tx: Tx, id: string): Promise<LockedClient | undefined> {
  const [row] = await runStatement<'clients_lock_client', LockedClient>(tx, {
    name: 'clients_lock_client',
    prepare: false,
    text: `select c.id, c.partner_id, p.name as partner_name, c.status, c.suspension_cause, c.updated_at, c.name, c.contact_name, c.contact_email, c.phone, c.website, c.timezone, c.locale, c.industry,
        c.external_ref, c.notes, c.business_profile, c.text_countries, c.first_contacts_per_hour
      from client c join partner p on p.id = c.partner_id where c.id = $1 and c.status <> 'deleted' for no key update of c`,
    values: [id],
  });
  return row;
}

/** Changes the given fields; the business profile as a whole. */
export async function updateClient(tx: Tx, id: string, change: { readonly [Field in keyof ClientChange]?: unknown }): Promise<void> {
  await runStatement(tx, {
    name: 'clients_update_client',
    prepare: false,
    text: `update client c set (name, contact_name, contact_email, phone, website, timezone, locale, industry, external_ref, notes, business_profile, text_countries,
        first_contacts_per_hour)
      = (select n.name, n.contact_name, n.contact_email, n.phone, n.website, n.timezone, n.locale, n.industry, n.external_ref, n.notes, n.business_profile, n.text_countries,
        n.first_contacts_per_hour from jsonb_populate_record(c, $2::jsonb) n) where c.id = $1`,
    values: [id, changedColumns(change)],
  });
}

export type ClientSuspension = { reason: string | null; cause: 'manual' | 'deletion_approved'; at: Date };

/** Suspends the client, or changes it to another status with no suspension. */
export async function writeClientStatus(
  tx: Tx,
  id: string,
  change: { status: 'suspended'; suspension: ClientSuspension } | { status: 'active' | 'archived' },
): Promise<void> {
  const suspension = 'suspension' in change ? change.suspension : null;
  const { reason = null, cause = null, at = null } = suspension ?? {};
  await runStatement(tx, {
    name: 'clients_write_status',
    prepare: false,
    text: 'update client set status = $2, suspended_at = $3, suspension_reason = $4, suspension_cause = $5 where id = $1',
    values: [id, change.status, at, reason, cause],
  });
}

/** Newest first, after a position. */
export async function listClientUsers(
  tx: Tx,
  clientId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<UserRow[]> {
  return runStatement<'clients_list_users', UserRow>(tx, {
    name: 'clients_list_users',
    prepare: false,
    text: `select id, email, full_name, role, partner_id, partner_role, client_id, status, mfa_enabled, avatar_url, locale, timezone, theme, last_login_at, created_at, updated_at
      from app_user where client_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    values: [clientId, after, limit + 1],
  });
}

/** Deletes the user with their sessions; returns the address. */
export async function deleteClientUser(tx: Tx, clientId: string, userId: string): Promise<string | undefined> {
  const [row] = await runStatement<'clients_delete_user', { email: string }>(tx, {
    name: 'clients_delete_user',
    prepare: false,
    text: 'delete from app_user where id = $2 and client_id = $1 returning email',
    values: [clientId, userId],
  });
  return row?.email;
}
