import { type RawBuilder, sql } from 'kysely';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** More clients, agents or agencies than this are not listed. */
export const USAGE_ROWS_MAX = 1_000;

export type UsageRow = { key: string; label: string; credits: number; runs: number; failed: number };
/** `from` and `to` begin an hour. `runsOnly`: without the calls of language models that belong to no run. */
export type UsageScope = { partnerId: string | null; clientId: string | null; from: Date; to: Date; runsOnly: boolean };

const DAY = sql`to_char(u.hour at time zone p.zone, 'YYYY-MM-DD')`;
const SUMS = sql`sum_bigint(u.credits) as credits, (sum_bigint(u.succeeded) + sum_bigint(u.failed))::int as runs, sum_bigint(u.failed)::int as failed`;
const ROWS = sql.raw(String(USAGE_ROWS_MAX));
/** A span that is taken away again may leave nothing of an agent. */
const USED = sql`having sum_bigint(u.credits) <> 0 or sum_bigint(u.succeeded) <> 0 or sum_bigint(u.failed) <> 0`;

/** Usage by day: in the time zone of the agency, of all agencies together in UTC. */
export function usageByDay(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return dayByClient(tx, scope);
  return scope.partnerId === null ? dayOfAll(tx, scope) : dayOfAgency(tx, scope, scope.partnerId);
}

async function dayOfAgency(tx: Tx, { from, to }: UsageScope, partnerId: string): Promise<UsageRow[]> {
  const { rows } = await query<'metering_day_of_agency', UsageRow>`
    select ${DAY} as key, ${DAY} as label, ${SUMS}
    from (select known_zone(timezone) as zone from partner where id = ${partnerId}::uuid) p, usage_of(${partnerId}::uuid, ${from}::timestamptz, ${to}::timestamptz) u
    where u.counter in ('ended_runs', 'ai_calls') group by 1 order by 1 limit 1000`.execute(tx);
  return rows;
}

async function dayOfAll(tx: Tx, { from, to }: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_day_of_all', UsageRow>`${PLANNED_ANEW}
    select ${DAY} as key, ${DAY} as label, ${SUMS}
    from (select 'UTC' as zone) p, usage_of_all(${from}::timestamptz, ${to}::timestamptz) u
    where u.counter in ('ended_runs', 'ai_calls') group by 1 order by 1 limit 1000`.execute(tx);
  return rows;
}

async function dayByClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_day_of_client', UsageRow>`${PLANNED_ANEW}
    select ${DAY} as key, ${DAY} as label, ${SUMS}
    from ${countedBy(scope)} u join (select x.id, known_zone(x.timezone) as zone from partner x) p on p.id = u.partner_id
    group by 1 order by 1 limit 1000`.execute(tx);
  return rows;
}

/**
 * Usage of each client, most credits first. Counted first, named afterwards, each by its key: thousands of hours have one name, and joined, the planner takes the few
 * clients of an average agency.
 */
export async function usageByClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_by_client', UsageRow>`${plannedFor(scope)}
    select coalesce(u.client_id::text, 'agency') as key, coalesce((select c.name from client c where c.id = u.client_id), 'Agency-wide') as label, u.credits, u.runs, u.failed
    from (select u.client_id, ${SUMS} from ${countedByAgents(scope)} u group by 1 ${USED} order by 2 desc limit ${ROWS}) u
    order by u.credits desc`.execute(tx);
  return rows;
}

/** Usage of each agent, most credits first. */
export async function usageByAgent(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_by_agent', UsageRow>`${plannedFor(scope)}
    select coalesce(u.workflow_id::text, 'ai') as key, case when u.workflow_id is null then 'Language models' else coalesce((select w.name from workflow w where w.id = u.workflow_id), 'Removed agent') end as label,
      u.credits, u.runs, u.failed
    from (select u.workflow_id, ${SUMS} from ${countedByAgents(scope)} u group by 1 ${USED} order by 2 desc limit ${ROWS}) u
    order by u.credits desc`.execute(tx);
  return rows;
}

/** Usage of each agency, most credits first. Removed ones are left out. */
export async function usageByPartner(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return partnerOfClient(tx, scope);
  const { from, to, partnerId } = scope;
  const { rows } = await query<'metering_by_partner', UsageRow>`${PLANNED_ANEW}
    select u.partner_id::text as key, p.name as label, u.credits, u.runs, u.failed
    from (select u.partner_id, ${SUMS} from usage_of_each(${partnerId}::uuid, ${from}::timestamptz, ${to}::timestamptz) u
      group by 1 ${USED} order by 2 desc limit ${ROWS}) u join partner p on p.id = u.partner_id
    order by u.credits desc`.execute(tx);
  return rows;
}

async function partnerOfClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_partner_of_client', UsageRow>`${PLANNED_ANEW}
    select u.partner_id::text as key, max(p.name) as label, ${SUMS} from ${countedBy(scope)} u join partner p on p.id = u.partner_id group by 1 order by 3 desc`.execute(
    tx,
  );
  return rows;
}

/** Usage by kind of the ledger; signs are turned, so used credits are positive. */
export function usageByKind(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return kindOfClient(tx, scope);
  return scope.partnerId === null ? kindOfAll(tx, scope) : kindOfAgency(tx, scope, scope.partnerId);
}

const BY_KIND = sql`u.counter as key, u.counter as label, sum(u.credits)::bigint as credits, coalesce(sum(u.entries) filter (where u.counter = 'run'), 0)::int as runs, 0 as failed`;

async function kindOfAgency(tx: Tx, { from, to }: UsageScope, partnerId: string): Promise<UsageRow[]> {
  const { rows } = await query<'metering_kind_of_agency', UsageRow>`
    select ${BY_KIND} from usage_of(${partnerId}::uuid, ${from}::timestamptz, ${to}::timestamptz) u
    where u.counter not in ('ended_runs', 'ai_calls') group by 1 order by 3 desc`.execute(tx);
  return rows;
}

async function kindOfAll(tx: Tx, { from, to }: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_kind_of_all', UsageRow>`${PLANNED_ANEW}
    select ${BY_KIND} from usage_of_all(${from}::timestamptz, ${to}::timestamptz) u
    where u.counter not in ('ended_runs', 'ai_calls') group by 1 order by 3 desc`.execute(tx);
  return rows;
}

async function kindOfClient(tx: Tx, { partnerId, clientId, from, to }: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_kind_of_client', UsageRow>`${PLANNED_ANEW}
    select u.kind as key, u.kind as label, -sum(u.credits)::bigint as credits, count(*) filter (where u.kind = 'run')::int as runs, 0 as failed
    from usage_entry u
    where u.partner_id = coalesce(${partnerId}::uuid, (select x.partner_id from client x where x.id = ${clientId}::uuid)) and u.client_id = ${clientId}::uuid
      and u.id >= uuid_floor(${from}::timestamptz - interval '3 days') and u.at >= ${from} and u.at < ${to}
    group by u.kind order by 3 desc`.execute(tx);
  return rows;
}

/** The plan for the spans of one agency is the same for all; those of one client, and of all agencies, depend on the range. */
function plannedFor({ partnerId, clientId }: UsageScope): RawBuilder<unknown> {
  return partnerId !== null && clientId === null ? sql`` : PLANNED_ANEW;
}

/** What agents counted, and calls of language models outside runs: of an agency or all from spans of any length, of one client by the hour. */
function countedByAgents(scope: UsageScope): RawBuilder<unknown> {
  const { partnerId, clientId, from, to, runsOnly } = scope;
  return clientId !== null
    ? countedBy(scope)
    : partnerId === null
      ? sql`usage_of_all_agents(${from}::timestamptz, ${to}::timestamptz)`
      : sql`usage_of_agents(${partnerId}::uuid, ${from}::timestamptz, ${to}::timestamptz, ${runsOnly}::boolean)`;
}

/** Of one client by the hour. Staff may name a client alone; the indexes begin with its agency. */
function countedBy({ partnerId, clientId, from, to, runsOnly }: UsageScope): RawBuilder<unknown> {
  return sql`(select h.partner_id, h.client_id, h.workflow_id, h.hour, h.credits, h.succeeded, h.failed from workflow_hour h
      where h.hour >= ${from} and h.hour < ${to} and h.client_id = ${clientId}::uuid
        and h.partner_id = coalesce(${partnerId}::uuid, (select x.partner_id from client x where x.id = ${clientId}::uuid))
      union all
      select u.partner_id, u.client_id, null, date_trunc('hour', u.at, 'UTC'), -u.credits, 0, 0 from usage_entry u
      where u.kind = 'ai_tokens' and u.execution_id is null and u.credits <> 0 and u.id >= uuid_floor(${from}::timestamptz - interval '3 days')
        and u.at >= ${from} and u.at < ${to} and not ${runsOnly}::boolean and u.client_id = ${clientId}::uuid
        and u.partner_id = coalesce(${partnerId}::uuid, (select x.partner_id from client x where x.id = ${clientId}::uuid)))`;
}
