import { USAGE_ROWS_MAX } from '@partner-portal/core/quota/breakdown.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type UsageRow = { key: string; label: string; credits: number; runs: number; failed: number };
/** `from` and `to` begin an hour. `runsOnly`, of one client: what its runs cost, AI tokens included. */
export type UsageScope = { partnerId: string | null; clientId: string | null; from: Date; to: Date; runsOnly: boolean };

const DAY = `to_char(u.hour at time zone p.zone, 'YYYY-MM-DD')`;
const SUMS = `sum_bigint(u.credits) as credits, (sum_bigint(u.succeeded) + sum_bigint(u.failed))::int as runs, sum_bigint(u.failed)::int as failed`;
/** A span that is taken away again may leave nothing of an agent. */
const USED = `having sum_bigint(u.credits) <> 0 or sum_bigint(u.succeeded) <> 0 or sum_bigint(u.failed) <> 0`;

/** The agency of a client: staff may name a client alone, and the indexes begin with its agency. */
const PARTNER = `coalesce($1::uuid, (select x.partner_id from client x where x.id = $2::uuid))`;
/** The hours of one client, by the values of a scope. */
const HOURS_OF_CLIENT = `(select h.partner_id, h.client_id, h.workflow_id, h.hour, h.credits, h.succeeded, h.failed from workflow_hour h
    where h.hour >= $3::timestamptz and h.hour < $4::timestamptz and h.client_id = $2 and h.partner_id = ${PARTNER}
    union all
    select u.partner_id, u.client_id, null, date_trunc('hour', u.at, 'UTC'), -u.credits, 0, 0 from usage_entry u
    where u.kind = 'ai_tokens' and u.execution_id is null and u.credits <> 0 and u.id >= uuid_floor($3::timestamptz - interval '3 days')
      and u.at >= $3 and u.at < $4 and not $5::boolean and u.client_id = $2 and u.partner_id = ${PARTNER})`;

function valuesOf({ partnerId, clientId, from, to, runsOnly }: UsageScope) {
  return [partnerId, clientId, from, to, runsOnly] as const;
}

/** The counts of agents, and calls of language models outside runs: of an agency or all from spans of any length, of one client by the hour. */
function countedByAgents({ partnerId, clientId }: UsageScope): string {
  return clientId !== null
    ? HOURS_OF_CLIENT
    : partnerId === null
      ? `(select x.* from usage_of_all_agents($3, $4) x where $1::uuid is null and $2::uuid is null and $5::boolean is not null)`
      : `(select x.* from usage_of_agents($1::uuid, $3, $4, $5) x where $2::uuid is null)`;
}

/** The plan for the spans of one agency is the same for all; those of one client, and of all agencies, depend on the range. */
function plannedFor({ partnerId, clientId }: UsageScope): { prepare?: false } {
  return partnerId !== null && clientId === null ? {} : { prepare: false };
}

/** Usage by day: in the time zone of the agency, of all agencies together in UTC. */
export function usageByDay(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return dayByClient(tx, scope);
  return scope.partnerId === null ? dayOfAll(tx, scope) : dayOfAgency(tx, scope, scope.partnerId);
}

async function dayOfAgency(tx: Tx, { from, to }: UsageScope, partnerId: string): Promise<UsageRow[]> {
  return runStatement<'metering_day_of_agency', UsageRow>(tx, {
    name: 'metering_day_of_agency',
    text: `select ${DAY} as key, ${DAY} as label, ${SUMS}
      from (select known_zone(timezone) as zone from partner where id = $1) p, usage_of($1, $2, $3) u
      where u.counter in ('ended_runs', 'ai_calls') group by 1 order by 1 limit 1000`,
    values: [partnerId, from, to],
  });
}

async function dayOfAll(tx: Tx, { from, to }: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_day_of_all', UsageRow>(tx, {
    name: 'metering_day_of_all',
    prepare: false,
    text: `select ${DAY} as key, ${DAY} as label, ${SUMS}
      from (select 'UTC' as zone) p, usage_of_all($1, $2) u
      where u.counter in ('ended_runs', 'ai_calls') group by 1 order by 1 limit 1000`,
    values: [from, to],
  });
}

async function dayByClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_day_of_client', UsageRow>(tx, {
    name: 'metering_day_of_client',
    prepare: false,
    text: `select ${DAY} as key, ${DAY} as label, ${SUMS}
      from ${HOURS_OF_CLIENT} u join (select x.id, known_zone(x.timezone) as zone from partner x) p on p.id = u.partner_id
      group by 1 order by 1 limit 1000`,
    values: valuesOf(scope),
  });
}

/**
 * Usage of each client, most credits first. Counted first, named afterwards, each by its key: thousands of hours have one name, and joined, the planner takes the few
 * clients of an average agency.
 */
export async function usageByClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_by_client', UsageRow>(tx, {
    name: 'metering_by_client',
    ...plannedFor(scope),
    text: `select coalesce(u.client_id::text, 'agency') as key, coalesce((select c.name from client c where c.id = u.client_id), 'No client') as label, u.credits, u.runs, u.failed
      from (select u.client_id, ${SUMS} from ${countedByAgents(scope)} u group by 1 ${USED} order by 2 desc limit ${USAGE_ROWS_MAX}) u
      order by u.credits desc`,
    values: valuesOf(scope),
  });
}

/** Usage of each agent, most credits first. */
export async function usageByAgent(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_by_agent', UsageRow>(tx, {
    name: 'metering_by_agent',
    ...plannedFor(scope),
    text: `select coalesce(u.workflow_id::text, 'ai') as key, case when u.workflow_id is null then 'AI tokens outside runs' else coalesce((select w.name from workflow w where w.id = u.workflow_id), 'Removed agent') end as label,
        u.credits, u.runs, u.failed
      from (select u.workflow_id, ${SUMS} from ${countedByAgents(scope)} u group by 1 ${USED} order by 2 desc limit ${USAGE_ROWS_MAX}) u
      order by u.credits desc`,
    values: valuesOf(scope),
  });
}

/** Usage of each agency, most credits first. Removed ones are left out. */
export async function usageByPartner(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return partnerOfClient(tx, scope);
  return runStatement<'metering_by_partner', UsageRow>(tx, {
    name: 'metering_by_partner',
    prepare: false,
    text: `select u.partner_id::text as key, p.name as label, u.credits, u.runs, u.failed
      from (select u.partner_id, ${SUMS} from usage_of_each($1, $2, $3) u
        group by 1 ${USED} order by 2 desc limit ${USAGE_ROWS_MAX}) u join partner p on p.id = u.partner_id
      order by u.credits desc`,
    values: [scope.partnerId, scope.from, scope.to],
  });
}

async function partnerOfClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_partner_of_client', UsageRow>(tx, {
    name: 'metering_partner_of_client',
    prepare: false,
    text: `select u.partner_id::text as key, max(p.name) as label, ${SUMS} from ${HOURS_OF_CLIENT} u join partner p on p.id = u.partner_id group by 1 order by 3 desc`,
    values: valuesOf(scope),
  });
}

/** Usage by kind of the ledger; signs are turned, so used credits are positive. Only runs and AI tokens use credits (PLAN-20). */
export function usageByKind(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  if (scope.clientId !== null) return kindOfClient(tx, scope);
  return scope.partnerId === null ? kindOfAll(tx, scope) : kindOfAgency(tx, scope, scope.partnerId);
}

const BY_KIND = `u.counter as key, u.counter as label, sum(u.credits)::bigint as credits, coalesce(sum(u.entries) filter (where u.counter = 'run'), 0)::int as runs, 0 as failed`;

async function kindOfAgency(tx: Tx, { from, to }: UsageScope, partnerId: string): Promise<UsageRow[]> {
  return runStatement<'metering_kind_of_agency', UsageRow>(tx, {
    name: 'metering_kind_of_agency',
    text: `select ${BY_KIND} from usage_of($1, $2, $3) u where u.counter not in ('ended_runs', 'ai_calls') group by 1 order by 3 desc`,
    values: [partnerId, from, to],
  });
}

async function kindOfAll(tx: Tx, { from, to }: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_kind_of_all', UsageRow>(tx, {
    name: 'metering_kind_of_all',
    prepare: false,
    text: `select ${BY_KIND} from usage_of_all($1, $2) u where u.counter not in ('ended_runs', 'ai_calls') group by 1 order by 3 desc`,
    values: [from, to],
  });
}

async function kindOfClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return runStatement<'metering_kind_of_client', UsageRow>(tx, {
    name: 'metering_kind_of_client',
    prepare: false,
    text: `select u.kind as key, u.kind as label, -sum(u.credits)::bigint as credits, count(*) filter (where u.kind = 'run')::int as runs, 0 as failed
      from usage_entry u
      where u.partner_id = ${PARTNER} and u.client_id = $2 and u.id >= uuid_floor($3::timestamptz - interval '3 days') and u.at >= $3 and u.at < $4
        and (not $5::boolean or u.kind = 'run' or (u.kind = 'ai_tokens' and u.execution_id is not null))
      group by u.kind order by 3 desc`,
    values: valuesOf(scope),
  });
}
