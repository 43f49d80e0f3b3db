import { sql } from 'kysely';
import type { TokenRate } from '@partner-portal/core/quota/credits.ts';
import type { SystemTx } from '../../platform/db/tx.ts';
import type { ModelRate } from './make-conversations.ts';

/** What the past changes besides the rows that it adds. */

export const CHAT_MODEL = 'gpt-4.1-mini';

export async function readAgency(tx: SystemTx, partnerId: string): Promise<{ createdAt: Date; timezone: string }> {
  return tx.selectFrom('partner').select(['createdAt', 'timezone']).where('id', '=', partnerId).executeTakeFirstOrThrow();
}

/** Reads the prices of tokens: those of flows, which report no model, and those of the chatbot's model, with what the agency pays for a credit. */
export async function readRates(tx: SystemTx, partnerId: string): Promise<{ flows: TokenRate; chat: ModelRate }> {
  const plan = await tx
    .selectFrom('subscription as s')
    .innerJoin('plan as g', 'g.id', 's.planId')
    .select(['g.monthlyPriceMinor', 'g.monthlyCredits'])
    .where('s.partnerId', '=', partnerId)
    .executeTakeFirstOrThrow();
  const newest = async (model: string): Promise<ModelRate> => {
    const row = await tx
      .selectFrom('aiRate')
      .select(['id', 'inputCredits', 'outputCredits', 'inputCostMinor', 'outputCostMinor', 'currency'])
      .where('provider', '=', 'openai')
      .where('model', '=', model)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow();
    return {
      id: row.id,
      inputCredits: Number(row.inputCredits),
      outputCredits: Number(row.outputCredits),
      inputCostMinor: Number(row.inputCostMinor),
      outputCostMinor: Number(row.outputCostMinor),
      currency: row.currency,
      creditPriceMinor: plan.monthlyPriceMinor / plan.monthlyCredits,
    };
  };
  return { flows: await newest('*'), chat: await newest(CHAT_MODEL) };
}

/** Creates the monthly partitions that the past needs. By itself, since it locks whole tables. */
export async function preparePartitions(tx: SystemTx, since: Date): Promise<void> {
  await sql`select create_past_partitions(${since}::timestamptz::date)`.execute(tx);
}

/** Marks the past, and lets clients and agents begin before it: a client has no report about a time before it was there. */
export async function markPast(tx: SystemTx, partnerId: string, { beginsAt, endsAt }: { beginsAt: Date; endsAt: Date }): Promise<void> {
  await tx.insertInto('sampleData').values({ partnerId, beginsAt, endsAt }).execute();
  for (const table of ['client', 'workflow'] as const)
    await tx.updateTable(table).set({ createdAt: beginsAt }).where('partnerId', '=', partnerId).execute();
}

export async function markAgents(tx: SystemTx, partnerId: string, endsAt: Date): Promise<void> {
  await sql`update workflow w set last_run_at = greatest(w.last_run_at, e.last_at)
    from (select e.workflow_id, max(e.finished_at) as last_at from execution e where e.partner_id = ${partnerId} and e.id < uuid_floor(${endsAt}) group by 1) e
    where w.id = e.workflow_id`.execute(tx);
}

/** Adds what the past used to the periods of the meter in which it falls. A threshold that it passed is not published. */
export async function addToMeter(tx: SystemTx, partnerId: string, endsAt: Date): Promise<void> {
  const used = sql`select u.at, -u.credits as credits, u.execution_id from usage_entry u
    where u.partner_id = ${partnerId} and u.id < uuid_floor(${endsAt}) and u.kind in ('run', 'ai_tokens')`;
  await sql`update quota_period o set used = o.used + g.credits
    from (select n.period_start, sum(x.credits)::int as credits from (${used}) x
      join quota_period n on n.partner_id = ${partnerId} and x.at >= n.period_start and x.at < n.period_end group by 1) g
    where o.partner_id = ${partnerId} and o.period_start = g.period_start`.execute(tx);
  await sql`update partner_quota q set used = q.used + g.credits, chat_used = q.chat_used + g.of_chat,
      highest_threshold = greatest(q.highest_threshold, coalesce((
        select max(t) from unnest(q.thresholds) t where (q.used + g.credits)::bigint * 100 >= t::bigint * (q.monthly_credits + q.purchased_credits)), 0))
    from (select coalesce(sum(x.credits), 0)::int as credits, coalesce(sum(x.credits) filter (where x.execution_id is null), 0)::int as of_chat
      from (${used}) x join partner_quota n on n.partner_id = ${partnerId} where x.at >= n.period_start) g
    where q.partner_id = ${partnerId}`.execute(tx);
}

/** Adds what the ledger and the counters noted to the sums at once. */
export async function countUsage(tx: SystemTx, partnerId: string): Promise<void> {
  await sql`select fold_usage(2147483647, ${partnerId})`.execute(tx);
}
