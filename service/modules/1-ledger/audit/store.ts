import { KEPT_PAGE_MAX, LAST_ID } from '#platform/db/kept-page.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Reads of the audit log; store-entries.ts writes it. */

/** Returns type, label and client of a target from the partner's latest entry about it. */
export async function findKnownTarget(
  tx: Tx,
  partnerId: string,
  id: string,
): Promise<{ type: string; label: string | null; clientId: string | null } | undefined> {
  // The index is scanned once per type; types are few.
  const [row] = await runStatement<'audit_find_known_target', { type: string; label: string | null; clientId: string | null }>(tx, {
    name: 'audit_find_known_target',
    prepare: false,
    text: `select target_type as type, target_label as label, client_id
      from audit_entry where partner_id = $1 and target_id = $2 and result = 'ok' order by id desc limit 1`,
    values: [partnerId, id],
  });
  return row;
}

/** Returns the client of the user with this address; `partnerId: null` finds users of every agency. */
export async function findAddress(tx: Tx, partnerId: string | null, address: string): Promise<{ clientId: string | null } | undefined> {
  const [row] = await runStatement<'audit_find_address', { clientId: string | null }>(tx, {
    name: 'audit_find_address',
    text: `select u.client_id from app_user u where u.email = $2 and ($1::uuid is null or u.partner_id = $1)`,
    values: [partnerId, address],
  });
  return row;
}

/** Returns the time from which the partner may read its log: per plan, at least a year. */
export async function findReadableSince(tx: Tx, partnerId: string): Promise<Date | undefined> {
  const [row] = await runStatement<'audit_find_readable_since', { since: Date }>(tx, {
    name: 'audit_find_readable_since',
    text: `select now() - make_interval(days => audit_days(features_of(p.features, s.overrides))) as since
      from subscription s join plan p on p.id = s.plan_id where s.partner_id = $1`,
    values: [partnerId],
  });
  return row?.since;
}

/** `by`: a user, an actor type or an address. Readers who may not see staff find none by id or address. */
export type ActorFilter = { by: 'id' | 'type' | 'email'; value: string; mayBeStaff: boolean };
export type EntryFilters = {
  /** Null only for staff reading all partners. */
  partnerId: string | null;
  /** Oldest time this reader may see. */
  since: Date | undefined;
  actor: ActorFilter | undefined;
  action: string | undefined;
  targetType: string | undefined;
  targetId: string | undefined;
  clientId: string | undefined;
  result: string | undefined;
  from: string | undefined;
  to: string | undefined;
};

export type EntryRow = {
  id: string;
  at: Date;
  partnerId: string;
  partnerName: string;
  clientId: string | null;
  clientName: string | null;
  actorType: 'user' | 'staff' | 'system';
  actorId: string | null;
  actorEmail: string | null;
  actorName: string | null;
  viaId: string | null;
  viaEmail: string | null;
  viaName: string | null;
  action: string;
  targetType: string | null;
  targetId: string | null;
  targetLabel: string | null;
  result: 'ok' | 'refused';
  changes: Record<string, [unknown, unknown]>;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
};

/** Entries scanned at most for a page when a filter has no index. */
export const LOOK_WINDOW = 2_000;

/** An entry `e` with the names of what it mentions. */
const ENTRY = `e.id, e.at, e.partner_id, p.name as partner_name, e.client_id, (select c.name from client c where c.id = e.client_id) as client_name, e.actor_type, e.actor_id, e.actor_email,
  nullif(u.full_name, '') as actor_name, e.actor_via as via_id, v.email as via_email, nullif(v.full_name, '') as via_name,
  e.action, e.target_type, e.target_id, e.target_label, e.result, e.changes, e.ip, e.user_agent, e.request_id`;
const NAMES = `left join partner p on p.id = e.partner_id left join app_user u on u.id = e.actor_id left join app_user v on v.id = e.actor_via::uuid`;

/**
 * Returns one page, newest first. One condition is answered by an index; the others are applied to the next LOOK_WINDOW entries, of which no more
 * are read than the page needs. `lastLooked` is where the next page starts when that window ended first.
 */
export async function listEntries(
  tx: Tx,
  filters: EntryFilters,
  before: string | null,
  limit: number,
): Promise<{ rows: EntryRow[]; lastLooked: string | null }> {
  const { partnerId, since, ...others } = filters;
  if (Object.values(others).some((one) => one !== undefined)) return listMatching(tx, filters, before, limit);
  if (partnerId !== null) return { rows: await listOfAgency(tx, partnerId, since, before, limit), lastLooked: null };
  if (since !== undefined || limit > KEPT_PAGE_MAX) return listMatching(tx, filters, before, limit);
  return { rows: await listOfAll(tx, before ?? LAST_ID, limit), lastLooked: null };
}

async function listOfAgency(tx: Tx, partnerId: string, since: Date | undefined, before: string | null, limit: number): Promise<EntryRow[]> {
  return runStatement<'audit_entries_of_agency', EntryRow>(tx, {
    name: 'audit_entries_of_agency',
    text: `select ${ENTRY} from newest_entries($1, $2, $3, $4) n cross join lateral (select x.* from audit_entry x where x.id = n offset 0) e ${NAMES}
      order by e.id desc`,
    values: [partnerId, since ?? null, before, limit],
  });
}

/** What staff see first. */
async function listOfAll(tx: Tx, before: string, limit: number): Promise<EntryRow[]> {
  return runStatement<'audit_entries_of_all', EntryRow>(tx, {
    name: 'audit_entries_of_all',
    text: `select ${ENTRY} from (select n.* from (
        select x.* from audit_entry x where x.id < $1 order by x.id desc limit ${KEPT_PAGE_MAX}
      ) n limit $2) e ${NAMES} order by e.id desc`,
    values: [before, limit],
  });
}

/** The range asked for. Bounds on the id let partitions be pruned; the time itself decides. An id is made up to a minute after its time. */
const IN_RANGE = `($1::uuid is null or e.partner_id = $1)
  and ($2::timestamptz is null or (e.id >= uuid_floor($2) and e.at >= $2)) and ($3::timestamptz is null or (e.id >= uuid_floor($3) and e.at >= $3))
  and ($4::timestamptz is null or (e.id < uuid_floor($4 + interval '1 minute') and e.at < $4)) and ($5::uuid is null or e.id < $5)`;

/**
 * The condition that an index answers, by its name in $6. For a target without its type, the index is scanned once per type; literals are for the partial indexes.
 * An index of what users did leaves staff out, and one of those who acted for another is asked by itself.
 */
const LEADING = `($6::text <> 'target' or (e.target_id = $7::text and ($8::text is null or e.target_type = $8))) and ($6 <> 'client' or e.client_id = $9::uuid)
  and ($6 <> 'refused' or e.result = 'refused') and ($6 <> 'action' or e.action = $11::text) and ($6 <> 'staff' or e.actor_type = 'staff')
  and ($6 <> 'email' or (e.actor_email = $13::text and e.actor_type <> 'staff')) and ($6 <> 'id' or (e.actor_id = $12::uuid and e.actor_type <> 'staff'))`;
const VIA = `$6 = 'id' and e.actor_via = $12::text and e.actor_id is distinct from $12 and e.actor_type <> 'staff'`;

/** All conditions. $15: a reader who may not know staff asks for a person. */
const MATCHING = `($7::text is null or e.target_id = $7) and ($8::text is null or e.target_type = $8) and ($9::uuid is null or e.client_id = $9)
  and ($10::text is null or e.result = $10) and ($11::text is null or e.action = $11)
  and ($12::uuid is null or e.actor_id = $12 or e.actor_via = $12::text) and ($13::text is null or e.actor_email = $13)
  and ($14::text is null or e.actor_type = $14) and (not $15::boolean or e.actor_type <> 'staff')`;

const LOOKED = `e.id, e.partner_id, e.client_id, e.actor_type, e.actor_id, e.actor_email, e.actor_via, e.action, e.target_type, e.target_id, e.result`;

async function listMatching(
  tx: Tx,
  filters: EntryFilters,
  before: string | null,
  limit: number,
): Promise<{ rows: EntryRow[]; lastLooked: string | null }> {
  const { partnerId, since = null, from = null, to = null, actor, targetId = null, targetType = null, clientId = null } = filters;
  const { lead, isWindowed } = leadOf(filters);
  const rows = await runStatement<'audit_list_entries', EntryRow & { lastLooked: string | null }>(tx, {
    name: 'audit_list_entries',
    prepare: false,
    text: `with looked as materialized (
        select x.* from (
          (select ${LOOKED} from audit_entry e where ${IN_RANGE} and ${LEADING} order by e.id desc limit $16)
          union all (select ${LOOKED} from audit_entry e where ${IN_RANGE} and ${VIA} order by e.id desc limit $16)
        ) x order by x.id desc limit $16
      ), found as materialized (
        select e.id from looked e where ${MATCHING} order by e.id desc limit $17
      ), marked as (
        select case when (select count(*) from found) < $17 and (select count(*) from looked) = ${LOOK_WINDOW}
          then (select l.id from looked l order by l.id limit 1) end as last_looked
      )
      select ${ENTRY}, m.last_looked
      from marked m left join (found f cross join lateral (select x.* from audit_entry x where x.id = f.id offset 0) e) on true ${NAMES}
      order by e.id desc`,
    values: [
      partnerId,
      since,
      from,
      to,
      before,
      lead,
      targetId,
      targetType,
      clientId,
      filters.result ?? null,
      filters.action ?? null,
      actor?.by === 'id' ? actor.value : null,
      actor?.by === 'email' ? actor.value : null,
      actor?.by === 'type' ? actor.value : null,
      actor !== undefined && actor.by !== 'type' && !actor.mayBeStaff,
      isWindowed ? LOOK_WINDOW : limit,
      limit,
    ],
  });
  return { rows: rows.filter((row) => row.id !== null), lastLooked: rows[0]?.lastLooked ?? null };
}

/** Returns the most selective condition that an index answers, and whether there are others. Only within one partner can an index lead. */
function leadOf({ partnerId, actor, action, targetType, targetId, clientId, result }: EntryFilters): { lead: string; isWindowed: boolean } {
  const given = [
    { name: 'target', is: targetId !== undefined },
    { name: 'client', is: clientId !== undefined },
    { name: 'refused', is: result === 'refused' },
    { name: 'action', is: action !== undefined },
    { name: actor?.by === 'type' ? 'staff' : (actor?.by ?? ''), is: actor !== undefined && isIndexed(actor) },
    { name: '', is: result === 'ok' },
    { name: '', is: targetType !== undefined && targetId === undefined },
    { name: '', is: actor !== undefined && !isIndexed(actor) },
  ].filter(({ is }) => is);
  const lead = partnerId === null ? '' : (given[0]?.name ?? '');
  return { lead, isWindowed: given.length > (lead === '' ? 0 : 1) };
}

/**
 * Whether an index answers the condition. Those of users leave staff out: a page that ends after a window of entries which the reader may not see would show
 * that there are some. Readers who may know staff look at the newest entries.
 */
function isIndexed({ by, value, mayBeStaff }: ActorFilter): boolean {
  return by === 'type' ? value === 'staff' : !mayBeStaff;
}
