import type { QuotaFacts } from '@partner-portal/core/quota/quota.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Closes the periods of a partner that have ended, and returns its quota at `now`; undefined for the house partner. */
export async function rollAndReadQuota(tx: Tx, partnerId: string, now: Date): Promise<QuotaFacts | undefined> {
  await runStatement(tx, {
    name: 'metering_roll',
    text: `select roll_quota(array[$1::uuid], $2) where exists (select 1 from partner_quota where partner_id = $1::uuid and period_end <= $2::timestamptz)`,
    values: [partnerId, now],
  });
  const [row] = await runStatement<'metering_quota', QuotaFacts>(tx, {
    name: 'metering_quota',
    text: `select q.used, q.in_flight, q.monthly_credits as monthly, q.purchased_credits as purchased, q.period_start, q.period_end,
        least(s.cancel_at, case when s.status in ('trialing', 'expired') then s.trial_ends_at end) as ends_at
      from partner_quota q left join subscription s on s.partner_id = q.partner_id where q.partner_id = $1::uuid`,
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
  /** When what is charged began: entries are in this order. */
  beganAt: Date;
};

/** Entries that name an agent have the ids of its runs, by which an index finds them. */
const OF_AGENT = `(select e.id, e.workflow_id, x.partner_id, x.client_id, x.execution_id, x.kind, x.credits, x.note, x.at from execution e
  cross join lateral (select y.* from usage_entry y where y.id = e.id and y.partner_id = e.partner_id offset 0) x) u`;

/**
 * An index begins with the partner, whom staff do not name with a client. An entry has the id of its execution, which may have waited, run and been extended for two
 * days: the id has slack, the time itself decides.
 */
const MATCHING = `($1::uuid is null or u.partner_id = $1) and ($2::uuid is null or u.client_id = $2)
  and ($1::uuid is not null or $2::uuid is null or u.partner_id = (select x.partner_id from client x where x.id = $2))
  and ($3::uuid is null or u.workflow_id = $3) and ($4::text is null or u.kind = $4)
  and ($5::timestamptz is null or (u.id >= uuid_floor($5::timestamptz - interval '3 days') and u.at >= $5))
  and ($6::timestamptz is null or (u.id < uuid_floor($6::timestamptz + interval '1 hour') and u.at < $6))
  and ($7::uuid is null or ((u.id, u.kind) < ($7, $8::text) and u.id <= $7))`;

/** Returns one page of usage entries, newest first. The position is (id, kind), because an execution and its AI tokens share an id. */
export async function listEntries(tx: Tx, filters: LedgerFilters, before: readonly string[] | null, limit: number): Promise<LedgerRow[]> {
  const { partnerId, clientId = null, workflowId = null, kind = null, from = null, to = null } = filters;
  const [beforeId = null, beforeKind = null] = before ?? [];
  return runStatement<'metering_list_entries', LedgerRow>(tx, {
    name: 'metering_list_entries',
    prepare: false,
    text: `select u.id, u.partner_id, u.client_id, (select c.name from client c where c.id = u.client_id) as client_name, u.workflow_id,
        (select w.name from workflow w where w.id = u.workflow_id) as agent_name, u.execution_id,
        case when u.kind = 'purchase' then (select o.id from billing_order o where o.id = u.id) end as order_id, u.kind, u.credits, u.note, u.at,
        coalesce(uuid_extract_timestamp(u.id), u.at) as began_at
      from (select u.* from ${workflowId === null ? 'usage_entry u' : OF_AGENT} where ${MATCHING} order by u.id desc, u.kind desc limit $9) u
      order by u.id desc, u.kind desc`,
    values: [partnerId, clientId, workflowId, kind, from, to, beforeId, beforeKind, limit],
  });
}
