import { query } from '#platform/db/statements.ts';
import { type RawBuilder, sql } from 'kysely';
import { keptPageSize, PLANNED_ANEW } from '#platform/db/statement-names.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Reads of the audit log; the only insert is in record-audit.ts. */

/** Returns type, label and client of a target from the partner's latest entry about it. */
export async function findKnownTarget(
  tx: Tx,
  partnerId: string,
  id: string,
): Promise<{ type: string; label: string | null; clientId: string | null } | undefined> {
  // The index is scanned once per type; types are few.
  const { rows } = await query<
    'audit_find_known_target',
    {
      type: string;
      label: string | null;
      clientId: string | null;
    }
  >`${PLANNED_ANEW}select target_type as type, target_label as label, client_id
    from audit_entry where partner_id = ${partnerId}::uuid and target_id = ${id} and result = 'ok' order by id desc limit 1`.execute(tx);
  return rows[0];
}

/** Returns the time from which the partner may read its log: per plan, at least a year. */
export async function findReadableSince(tx: Tx, partnerId: string): Promise<Date | undefined> {
  const { rows } = await query<
    'audit_find_readable_since',
    {
      since: Date;
    }
  >`select now() - make_interval(days => audit_days(p.features || coalesce(s.overrides->'features', '{}'))) as since
    from subscription s join plan p on p.id = s.plan_id where s.partner_id = ${partnerId}::uuid`.execute(tx);
  return rows[0]?.since;
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

const LOOKED = sql`e.id, e.partner_id, e.client_id, e.actor_type, e.actor_id, e.actor_email, e.actor_via, e.action, e.target_type, e.target_id, e.result`;

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
  const { lead, rest } = conditions(filters);
  const isPlain = lead === undefined && rest.length === 0 && filters.from === undefined && filters.to === undefined;
  const kept = isPlain ? keptPageSize(limit) : undefined;
  const wanted = kept === undefined ? sql`${limit}` : sql.raw(String(kept));
  const window = rest.length > 0 ? sql`${LOOK_WINDOW}` : wanted;
  const [first, second] = lead ?? [sql`true`];
  const where = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql.join([...timeOf(filters, before), condition], sql` and `);
  const { rows } = await query<
    'audit_list_entries',
    EntryRow & { lastLooked: string | null }
  >`${kept === undefined ? PLANNED_ANEW : sql``}with looked as materialized (
      select ${
        isPlain && filters.partnerId !== null
          ? sql`n as id from newest_entries(${filters.partnerId}::uuid, ${filters.since ?? null}::timestamptz, ${before}::uuid, ${wanted}) n`
          : sql`x.* from (
        (select ${LOOKED} from audit_entry e where ${where(first)} order by e.id desc limit ${window})
        ${second === undefined ? sql`` : sql`union all (select ${LOOKED} from audit_entry e where ${where(second)} order by e.id desc limit ${window})`}
      ) x order by x.id desc limit ${window}`
      }
    ), found as materialized (
      select e.id from looked e where ${sql.join([sql`true`, ...rest], sql` and `)} order by e.id desc limit ${wanted}
    ), marked as (
      select case when (select count(*) from found) < ${wanted} and (select count(*) from looked) = ${LOOK_WINDOW}
        then (select l.id from looked l order by l.id limit 1) end as last_looked
    )
    select e.id, e.at, e.partner_id, p.name as partner_name, e.client_id, (select c.name from client c where c.id = e.client_id) as client_name, e.actor_type, e.actor_id, e.actor_email,
      nullif(u.full_name, '') as actor_name, e.actor_via as via_id, v.email as via_email, nullif(v.full_name, '') as via_name,
      e.action, e.target_type, e.target_id, e.target_label, e.result, e.changes, e.ip, e.user_agent, e.request_id, m.last_looked
    from marked m left join (found f cross join lateral (select x.* from audit_entry x where x.id = f.id offset 0) e) on true
      left join partner p on p.id = e.partner_id
      left join app_user u on u.id = e.actor_id left join app_user v on v.id = e.actor_via::uuid
    order by e.id desc`.execute(tx);
  return { rows: rows.filter((row) => row.id !== null).slice(0, limit), lastLooked: rows[0]?.lastLooked ?? null };
}

/** Bounds on the id let partitions be pruned; the time itself decides. An id is made up to a minute after its time. */
function timeOf({ partnerId, since, from, to }: EntryFilters, before: string | null): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [partnerId === null ? sql`true` : sql`e.partner_id = ${partnerId}::uuid`];
  if (since !== undefined) all.push(sql`e.id >= uuid_floor(${since}::timestamptz) and e.at >= ${since}::timestamptz`);
  if (from !== undefined) all.push(sql`e.id >= uuid_floor(${from}::timestamptz) and e.at >= ${from}::timestamptz`);
  if (to !== undefined) all.push(sql`e.id < uuid_floor(${to}::timestamptz + interval '1 minute') and e.at < ${to}::timestamptz`);
  if (before !== null) all.push(sql`e.id < ${before}::uuid`);
  return all;
}

/** Conditions of which an entry meets exactly one, each answered by an index of its own. */
type Lead = readonly [RawBuilder<unknown>, RawBuilder<unknown>?];

/** Returns the most selective condition that an index answers, and the others. Only within one partner can an index lead. */
function conditions(filters: EntryFilters): { lead: Lead | undefined; rest: RawBuilder<unknown>[] } {
  const { partnerId, actor, action, targetType, targetId, clientId, result } = filters;
  const indexed: Lead[] = [];
  // Of a target without its type, the index is scanned once per type.
  if (targetId !== undefined)
    indexed.push([
      targetType === undefined ? sql`e.target_id = ${targetId}` : sql`e.target_type = ${targetType} and e.target_id = ${targetId}`,
    ]);
  if (clientId !== undefined) indexed.push([sql`e.client_id = ${clientId}::uuid`]);
  // Literal, for the partial index.
  if (result === 'refused') indexed.push([sql`e.result = 'refused'`]);
  if (action !== undefined) indexed.push([sql`e.action = ${action}`]);
  if (actor !== undefined && isIndexed(actor)) indexed.push(isActor(actor));
  const others: RawBuilder<unknown>[] = [];
  if (result === 'ok') others.push(sql`e.result = 'ok'`);
  if (targetType !== undefined && targetId === undefined) others.push(sql`e.target_type = ${targetType}`);
  if (actor !== undefined && !isIndexed(actor)) others.push(isAnyActor(actor));
  const [lead, ...rest] = indexed;
  const anyOf = ([one, other]: Lead): RawBuilder<unknown> => (other === undefined ? one : sql`(${one} or ${other})`);
  return partnerId === null
    ? { lead: undefined, rest: [...indexed.map(anyOf), ...others] }
    : { lead, rest: [...rest.map(anyOf), ...others] };
}

/**
 * Whether an index answers the condition. Those of users leave staff out: a page that ends after a window of entries which the reader may not see would show
 * that there are some. Readers who may know staff look at the newest entries.
 */
function isIndexed({ by, value, mayBeStaff }: ActorFilter): boolean {
  return by === 'type' ? value === 'staff' : !mayBeStaff;
}

/** Literal, for the partial indexes. */
function isActor({ by, value }: ActorFilter): Lead {
  if (by === 'type') return [sql`e.actor_type = 'staff'`];
  if (by === 'email') return [sql`e.actor_email = ${value} and e.actor_type <> 'staff'`];
  return [
    sql`e.actor_id = ${value}::uuid and e.actor_type <> 'staff'`,
    sql`e.actor_via = ${value} and e.actor_id is distinct from ${value}::uuid and e.actor_type <> 'staff'`,
  ];
}

/** For readers who may know staff. */
function isAnyActor({ by, value }: ActorFilter): RawBuilder<unknown> {
  if (by === 'type') return sql`e.actor_type = ${value}`;
  return by === 'email' ? sql`e.actor_email = ${value}` : sql`(e.actor_id = ${value}::uuid or e.actor_via = ${value})`;
}
