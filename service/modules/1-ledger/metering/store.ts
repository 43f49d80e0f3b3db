import type { QuotaFacts } from '@partner-portal/core/quota/quota.ts';
import { type RawBuilder, sql } from 'kysely';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query, runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Returns the quota of a partner at `now`. Periods that have ended are closed first. Undefined for the house partner. */
export async function readQuotaFacts(tx: Tx, partnerId: string, now: Date): Promise<QuotaFacts | undefined> {
  await runStatement(tx, {
    name: 'metering_roll',
    text: `select roll_quota(array[$1::uuid], $2) where exists (select 1 from partner_quota where partner_id = $1::uuid and period_end <= $2::timestamptz)`,
    values: [partnerId, now],
  });
  const [row] = await runStatement<'metering_quota', QuotaFacts>(tx, {
    name: 'metering_quota',
    text: `select used, in_flight, monthly_credits as monthly, purchased_credits as purchased, period_start, period_end from partner_quota where partner_id = $1::uuid`,
    values: [partnerId],
  });
  return row;
}

export type UsageRow = { key: string; label: string; credits: number; runs: number; failed: number };
/** `runsOnly`: without the calls of language models that belong to no run. */
export type UsageScope = { partnerId: string | null; clientId: string | null; from: Date; to: Date; runsOnly: boolean };

/** Usage from the hourly counters, and from calls of language models outside runs. Days are in the partner's time zone. */
export async function usageByDay(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return usage(
    tx,
    scope,
    sql`to_char(h.hour at time zone p.zone, 'YYYY-MM-DD')`,
    sql`to_char(h.hour at time zone p.zone, 'YYYY-MM-DD')`,
    sql`1`,
  );
}

export async function usageByClient(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return usage(tx, scope, sql`coalesce(h.client_id::text, 'agency')`, sql`coalesce(max(c.name), 'Agency-wide')`, sql`3 desc`);
}

export async function usageByAgent(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return usage(
    tx,
    scope,
    sql`coalesce(h.workflow_id::text, 'ai')`,
    sql`case when max(h.workflow_id::text) is null then 'Language models' else coalesce(max(w.name), 'Removed agent') end`,
    sql`3 desc`,
  );
}

/** Usage of each partner, most credits first. */
export async function usageByPartner(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  return usage(tx, scope, sql`h.partner_id::text`, sql`max(p.name)`, sql`3 desc`);
}

async function usage(
  tx: Tx,
  scope: UsageScope,
  key: RawBuilder<unknown>,
  label: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<UsageRow[]> {
  const { rows } = await query<'metering_usage', UsageRow>`${PLANNED_ANEW}
    with place as materialized (select id, name, known_zone(timezone) as zone from partner)
    select ${key} as key, ${label} as label, sum(h.credits)::int as credits, sum(h.succeeded + h.failed)::int as runs, sum(h.failed)::int as failed
    from (
      select h.partner_id, h.client_id, h.workflow_id, h.hour, h.credits, h.succeeded, h.failed from workflow_hour h
      where h.hour >= ${scope.from} and h.hour < ${scope.to}
        ${scope.partnerId === null ? sql`` : sql`and h.partner_id = ${scope.partnerId}::uuid`} ${scope.clientId === null ? sql`` : sql`and h.client_id = ${scope.clientId}::uuid`}
      union all
      select u.partner_id, u.client_id, null, u.at, -u.credits, 0, 0 from usage_entry u
      where u.kind = 'ai_tokens' and u.execution_id is null and u.credits <> 0 and u.id >= uuid_floor(${scope.from}::timestamptz - interval '1 day')
        and u.at >= ${scope.from} and u.at < ${scope.to} and not ${scope.runsOnly}::boolean
        ${scope.partnerId === null ? sql`` : sql`and u.partner_id = ${scope.partnerId}::uuid`} ${scope.clientId === null ? sql`` : sql`and u.client_id = ${scope.clientId}::uuid`}
    ) h join place p on p.id = h.partner_id left join client c on c.id = h.client_id left join workflow w on w.id = h.workflow_id
    group by 1 order by ${order} limit 1000`.execute(tx);
  return rows;
}

/** Usage by kind, from usage entries; signs are turned, so used credits are positive. */
export async function usageByKind(tx: Tx, scope: UsageScope): Promise<UsageRow[]> {
  const { rows } = await query<'metering_usage_by_kind', UsageRow>`${PLANNED_ANEW}
    select u.kind as key, u.kind as label, -sum(u.credits)::int as credits, count(*) filter (where u.kind = 'run')::int as runs, 0 as failed
    from usage_entry u
    where u.id >= uuid_floor(${scope.from}::timestamptz - interval '1 day') and u.at >= ${scope.from} and u.at < ${scope.to}
      ${scope.partnerId === null ? sql`` : sql`and u.partner_id = ${scope.partnerId}::uuid`} ${scope.clientId === null ? sql`` : sql`and u.client_id = ${scope.clientId}::uuid`}
    group by u.kind order by 3 desc`.execute(tx);
  return rows;
}

export type LedgerFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  workflowId?: string | undefined;
  kind?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export type LedgerRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  workflowId: string | null;
  agentName: string | null;
  executionId: string | null;
  orderId: string | null;
  kind: string;
  credits: number;
  note: string;
  at: Date;
};

/** Returns one page of usage entries, newest first. The position is (id, kind), because an execution and its AI tokens share an id. */
export async function listEntries(tx: Tx, filters: LedgerFilters, before: readonly string[] | null, limit: number): Promise<LedgerRow[]> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`u.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`u.client_id = ${filters.clientId}::uuid`);
  if (filters.workflowId !== undefined) all.push(sql`u.workflow_id = ${filters.workflowId}::uuid`);
  if (filters.kind !== undefined) all.push(sql`u.kind = ${filters.kind}`);
  // An entry has the id of its execution, which started earlier: a day of slack on the id, the time itself decides.
  if (filters.from !== undefined)
    all.push(sql`u.id >= uuid_floor(${filters.from}::timestamptz - interval '1 day') and u.at >= ${filters.from}::timestamptz`);
  if (filters.to !== undefined) all.push(sql`u.at < ${filters.to}::timestamptz`);
  if (before !== null) all.push(sql`(u.id, u.kind) < (${before[0]}::uuid, ${before[1]})`);
  const { rows } = await query<'metering_list_entries', LedgerRow>`${PLANNED_ANEW}
    select u.id, u.partner_id, u.client_id, c.name as client_name, u.workflow_id, w.name as agent_name, u.execution_id, o.id as order_id, u.kind, u.credits, u.note, u.at
    from (select * from usage_entry u where ${sql.join(all, sql` and `)} order by u.id desc, u.kind desc limit ${limit}) u
    left join client c on c.id = u.client_id left join workflow w on w.id = u.workflow_id
    left join billing_order o on o.id = u.id and u.kind = 'purchase' order by u.id desc, u.kind desc`.execute(tx);
  return rows;
}
