import { createHmac } from 'node:crypto';
import type { RollOverAnswer } from '../support/billing-service.ts';
import { startChild } from '../support/child.ts';
import { costsSince, costText, readCosts } from '../support/cpu.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import type { LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ServiceSetup } from '../support/service.ts';
import { startLoad } from '../support/start-load.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const DUE = 10_000;
const PER_SECOND = 200;

/**
 * 10,000 subscriptions whose period ended in the same minute, rolled over while events of other agencies arrive; the latency of these with
 * and without it, and the same roll-over without them. One in ten has purchased seats and a waiting line, and used more than its monthly credits.
 */
export async function benchBilling(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const workflows = await seedWorkflows(database, 20, 20);
  const address = database.addressOf('portal_service');
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }>(new URL('../support/service.ts', import.meta.url), setup);
  const worker = await startChild<object, object, object, RollOverAnswer>(new URL('../support/billing-service.ts', import.meta.url), {
    address,
  });
  const paths = workflows.map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const load = await startLoad({
    origin: service.ready.origin,
    paths,
    body: BODY,
  });
  const offer = (seconds: number): Promise<LoadResult> => load.ask({ kind: 'offered', connections: 64, perSecond: PER_SECOND, seconds });
  const rollOver = async (what: string): Promise<RollOverAnswer> => {
    const parts = { node: worker.child.pid, postgres: database.pid() };
    const before = readCosts(parts);
    const answer = await worker.child.ask({});
    const { periods, seconds, statements, rssMb } = answer;
    say(
      `${what} ${periods} subscriptions in ${seconds.toFixed(1)} s (target: 60 s or less), ${(statements / periods).toFixed(2)} statements each, ${rssMb} MB; cpu ${costText(costsSince(before, readCosts(parts), periods))}`,
    );
    return answer;
  };
  try {
    await offer(2);
    const without = await offer(10);
    say(`ingest at ${PER_SECOND}/s alone: ${timingText(without.timing)}, refused ${without.refused}, failed ${without.failed}`);
    await seedDue(database);
    const alone = await rollOver('alone      ');
    await seedDue(database);
    const [together, beside] = await Promise.all([rollOver('with ingest'), offer(Math.max(5, Math.ceil(alone.seconds)))]);
    say(`ingest beside it: ${timingText(beside.timing)}, refused ${beside.refused}, failed ${beside.failed}`);
    const [found] = await database.admin<{ drafts: number; open: number }>(
      `select (select count(*)::int from invoice where period_end > now()) as drafts, (select count(*)::int from subscription where current_period_end <= now()) as open`,
    );
    say(`drafts     ${found?.drafts ?? 0} for ${alone.periods + together.periods} periods, ${found?.open ?? 0} periods left open`);
  } finally {
    for (const one of [load, worker.child, service.child]) await one.stop();
  }
}

/** Subscriptions that all ended half a minute ago, each with the draft of that period. */
async function seedDue(database: BenchDatabase): Promise<void> {
  await database.admin(
    `with p as (insert into partner (name, slug) select 'Due ' || n, 'due-' || n || '-' || substr(md5(random()::text), 1, 12) from generate_series(1, $1::int) n returning id, name),
      t as (select p.id, p.name ~ '0$' as is_tenth, date_trunc('milliseconds', now() - interval '30 seconds') as ended from p),
      s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency, purchased_seats)
        select t.id, l.id, 'active', t.ended - interval '1 month', t.ended, t.ended, l.currency, case when t.is_tenth then 3 else 0 end
        from t, plan l where l.name = 'Growth'),
      q as (insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits, used, purchased_credits)
        select t.id, t.ended - interval '1 month', t.ended, t.ended, 10000, case when t.is_tenth then 10200 else 400 end, case when t.is_tenth then 500 else 0 end from t),
      d as (insert into invoice (partner_id, currency, period_start, period_end, subtotal_minor, total_minor)
        select t.id, 'USD', t.ended - interval '1 month', t.ended, 7900, 7900 from t returning id, partner_id)
    insert into invoice_line (partner_id, invoice_id, kind, description, quantity, unit_price_minor, amount_minor, currency)
      select d.partner_id, d.id, 'plan', 'Growth', 1, 7900, 7900, 'USD' from d
      union all select t.id, null, 'credits', 'Credits', 1, 1900, 1900, 'USD' from t where t.is_tenth`,
    [DUE],
  );
  await database.admin('analyze');
}
