import { setTimeout as delay } from 'node:timers/promises';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { addEndpoint } from '@partner-portal/tests/harness/deliveries.ts';
import { type Child, startChild } from '../support/child.ts';
import { addCosts, costText, type Costs, costsSince, readCosts } from '../support/cpu.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import type { HookAnswer, HookOrder, HookSetup } from '../support/hook-service.ts';
import type { ProbeOrder, ProbeSetup } from '../support/hook-probe.ts';
import type { SinkAnswer } from '../support/hook-sink.ts';
import { summarise, type Timing, timingText } from '../support/measure.ts';

type Sink = Child<object, SinkAnswer>;
type Service = Child<HookOrder, HookAnswer>;

const AGENCIES = 60;
const OFFERED = 300;
const HANGING = 10_000;
const SECONDS = 6;
const ROUNDS = 2;
const HANGING_ROUNDS = 5;

/**
 * Outgoing events: from the commit to the first attempt at 300 per second; the highest rate at which the queue does not grow, compared with
 * a bare probe; and the effect of 10,000 deliveries to a hanging endpoint on the others.
 */
export async function benchWebhooks(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const { ready: sinkReady, child: sink } = await startChild<object, SinkAnswer, object, SinkAnswer>(
    new URL('../support/hook-sink.ts', import.meta.url),
    {},
  );
  const origin = `http://127.0.0.1:${sinkReady.port}`;
  await seedWorkflows(database, AGENCIES + 1, 1);
  const address = database.addressOf('portal_service');
  const [hanging = '', ...partners] = await addEndpoints(address, origin);
  const { child: service } = await startChild<HookSetup, { ready: true }, HookOrder, HookAnswer>(
    new URL('../support/hook-service.ts', import.meta.url),
    { address, partners },
  );
  const children: { stop(): Promise<void> }[] = [sink, service];
  try {
    await service.ask({ kind: 'window', window: 500, seconds: 3 });
    await sink.ask({});
    say(
      `at ${OFFERED}/s  commit to first attempt: ${timingText(await offer(service, sink, 2 * SECONDS))} (target: p50 15 ms, p99 100 ms or less)`,
    );
    const probe = await startProbe(database, origin);
    children.push(probe);
    const rate = await compareRates({ database, service, sink, probe, say });
    await holdRate(service, sink, Math.floor(rate * 0.9), say);
    await compareHanging({ database, service, sink, hanging, say });
  } finally {
    for (const one of children) await one.stop();
  }
}

/** One endpoint for each partner but the platform's own; the first partner's never responds. */
async function addEndpoints(address: ReturnType<BenchDatabase['addressOf']>, origin: string): Promise<string[]> {
  const pool = createPool(address, { name: 'bench', max: 1 });
  const partners = await createDatabase(pool).asSystem('seed', async (tx) => {
    const rows = await tx.selectFrom('partner').select('id').where('isHouse', '=', false).orderBy('id').execute();
    for (const [n, { id }] of rows.entries()) await addEndpoint(tx, { partnerId: id, url: `${origin}${n === 0 ? '/hang' : `/${n}`}` });
    return rows.map((row) => row.id);
  });
  await pool.end();
  return partners;
}

async function startProbe(database: BenchDatabase, origin: string): Promise<Child<ProbeOrder, object>> {
  await database.admin(
    `create table probe_job (id uuid primary key default uuidv7(), body text not null, status text not null default 'pending', finished_at timestamptz)`,
  );
  await database.admin('grant select, insert, update on probe_job to portal_service');
  const setup: ProbeSetup = { address: database.addressOf('portal_service'), origin };
  return (await startChild<ProbeSetup, { ready: true }, ProbeOrder, object>(new URL('../support/hook-probe.ts', import.meta.url), setup))
    .child;
}

/** Publishes at 300 a second and pairs each commit with its first arrival. */
async function offer(service: Service, sink: Sink, seconds: number): Promise<Timing> {
  await sink.ask({});
  const { commits } = await service.ask({ kind: 'offered', perSecond: OFFERED, seconds });
  const arrivals = new Map((await sink.ask({})).arrivals);
  // The first attempt may arrive before the response to the commit; its latency then counts as zero.
  const latencies = commits.map(([id, at]) => Math.max(0, (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at));
  return summarise(latencies);
}

type Rates = { database: BenchDatabase; service: Service; sink: Sink; probe: Child<ProbeOrder, object>; say: (line: string) => void };

/** Probe and service keep a thousand in flight and alternate, so that other load on the machine affects both. */
async function compareRates({ database, service, sink, probe, say }: Rates): Promise<number> {
  const order = { window: 1_000, seconds: SECONDS };
  await probe.ask({ ...order, seconds: 2 });
  await sink.ask({});
  const rates = { probe: 0, service: 0 };
  const costs: { probe: Costs; service: Costs } = { probe: {}, service: {} };
  let statements = 0;
  let delivered = 0;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of ['probe', 'service'] as const) {
      await database.admin('checkpoint');
      const parts = { node: (side === 'probe' ? probe : service).pid, postgres: database.pid(), sink: sink.pid };
      const [before, beganAt] = [readCosts(parts), performance.now()];
      if (side === 'probe') await probe.ask(order);
      else statements += (await service.ask({ kind: 'window', ...order })).statements;
      const [{ count }, seconds] = [await sink.ask({}), (performance.now() - beganAt) / 1000];
      costs[side] = addCosts(costs[side], costsSince(before, readCosts(parts), count * ROUNDS));
      rates[side] += count / seconds / ROUNDS;
      if (side === 'service') delivered += count;
      await delay(500);
      await sink.ask({});
    }
  say(`probe     ${rates.probe.toFixed(0)} delivered/s (a POST and an UPDATE each)`);
  say(`service   ${rates.service.toFixed(0)} delivered/s with the queue held at ${order.window}`);
  say(`ratio     ${(rates.service / rates.probe).toFixed(2)} of the probe (target: 0.50 or more, and more than 2,400/s)`);
  say(`cpu       probe ${costText(costs.probe)}; service ${costText(costs.service)}`);
  say(`sql       ${(statements / delivered).toFixed(2)} statements per delivered event, publishing included`);
  return rates.service;
}

/** Measures the queue at nine tenths of that rate, with one transaction per event. */
async function holdRate(service: Service, sink: Sink, perSecond: number, say: (line: string) => void): Promise<void> {
  await sink.ask({});
  const { waiting } = await service.ask({ kind: 'offered', perSecond, seconds: 2 * SECONDS });
  const { count } = await sink.ask({});
  say(`at ${perSecond}/s under way after a third, two thirds, all of ${2 * SECONDS} s: ${waiting.join(', ')}; ${count} delivered`);
}

type Hanging = { database: BenchDatabase; service: Service; sink: Sink; hanging: string; say: (line: string) => void };

async function compareHanging({ database, service, sink, hanging, say }: Hanging): Promise<void> {
  const seen: Record<'without' | 'with', Timing[]> = { without: [], with: [] };
  await offer(service, sink, 3);
  for (let round = 0; round < HANGING_ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      if (side === 'with') await hang(database, hanging);
      await database.admin('checkpoint');
      seen[side].push(await offer(service, sink, SECONDS));
      if (side === 'with') await clear(database, hanging);
    }
  // The median of several rounds: other work on the machine disturbs single ones.
  const middle = (side: 'without' | 'with', key: 'p50' | 'p99'): number => {
    const sorted = seen[side].map((timing) => timing[key]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  const text = (side: 'without' | 'with'): string =>
    `p50 ${middle(side, 'p50').toFixed(2)} ms, p99 ${middle(side, 'p99').toFixed(1)} ms (${seen[side].map(({ p99 }) => p99.toFixed(0)).join(', ')})`;
  say(`others at ${OFFERED}/s: ${text('without')}; beside ${HANGING} deliveries to a hanging endpoint: ${text('with')}`);
  say(`p99 moved by ${((middle('with', 'p99') / middle('without', 'p99') - 1) * 100).toFixed(0)} % (target: 10 % or less)`);
}

/** Deletes them and vacuums, so that each round starts from the same state. */
async function clear(database: BenchDatabase, partnerId: string): Promise<void> {
  await database.admin('delete from delivery_queue where partner_id = $1 and claimed_by is null', [partnerId]);
  await database.admin('vacuum delivery_queue');
}

/** Creates deliveries of one partner to its endpoint, due now. */
async function hang(database: BenchDatabase, partnerId: string): Promise<void> {
  await database.admin(
    `with made as (
       insert into delivery (partner_id, endpoint_id, event_id, event_type, body, due_at)
       select e.partner_id, e.id, uuidv7(), 'webhook.test', '{}', now() from webhook_endpoint e, generate_series(1, ${HANGING}) where e.partner_id = $1
       returning id, partner_id, endpoint_id)
     insert into delivery_queue (delivery_id, partner_id, endpoint_id) select id, partner_id, endpoint_id from made`,
    [partnerId],
  );
}
