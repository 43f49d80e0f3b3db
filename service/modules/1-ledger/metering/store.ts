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

/** Entries that name an agent have the ids of its runs, by which an index finds them. */
const OF_AGENT = sql`(select e.id, e.workflow_id, x.partner_id, x.client_id, x.execution_id, x.kind, x.credits, x.note, x.at from execution e
  cross join lateral (select y.* from usage_entry y where y.id = e.id and y.partner_id = e.partner_id offset 0) x) u`;
const OF_ALL = sql`usage_entry u`;

/** Returns one page of usage entries, newest first. The position is (id, kind), because an execution and its AI tokens share an id. */
export async function listEntries(tx: Tx, filters: LedgerFilters, before: readonly string[] | null, limit: number): Promise<LedgerRow[]> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`u.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`u.client_id = ${filters.clientId}::uuid`);
  // An index begins with the partner. Staff name none.
  if (filters.clientId !== undefined && filters.partnerId === null)
    all.push(sql`u.partner_id = (select x.partner_id from client x where x.id = ${filters.clientId}::uuid)`);
  if (filters.workflowId !== undefined) all.push(sql`u.workflow_id = ${filters.workflowId}::uuid`);
  if (filters.kind !== undefined) all.push(sql`u.kind = ${filters.kind}`);
  // Most are of this kind, so the index of kinds leaves them out.
  if (filters.kind !== undefined && filters.kind !== 'run') all.push(sql`u.kind <> 'run'`);
  // An entry has the id of its execution, which may have waited, run and been extended for two days: the id has slack, the time itself decides.
  if (filters.from !== undefined)
    all.push(sql`u.id >= uuid_floor(${filters.from}::timestamptz - interval '3 days') and u.at >= ${filters.from}::timestamptz`);
  if (filters.to !== undefined)
    all.push(sql`u.id < uuid_floor(${filters.to}::timestamptz + interval '1 hour') and u.at < ${filters.to}::timestamptz`);
  if (before !== null) all.push(sql`(u.id, u.kind) < (${before[0]}::uuid, ${before[1]})`);
  if (before !== null) all.push(sql`u.id <= ${before[0]}::uuid`);
  const { rows } = await query<'metering_list_entries', LedgerRow>`${PLANNED_ANEW}
    select u.id, u.partner_id, u.client_id, (select c.name from client c where c.id = u.client_id) as client_name, u.workflow_id,
      (select w.name from workflow w where w.id = u.workflow_id) as agent_name, u.execution_id,
      case when u.kind = 'purchase' then (select o.id from billing_order o where o.id = u.id) end as order_id, u.kind, u.credits, u.note, u.at
    from (select u.* from ${filters.workflowId === undefined ? OF_ALL : OF_AGENT} where ${sql.join(all, sql` and `)} order by u.id desc, u.kind desc limit ${limit}) u
    order by u.id desc, u.kind desc`.execute(tx);
  return rows;
}
