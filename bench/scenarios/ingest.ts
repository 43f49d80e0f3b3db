import { createHmac } from 'node:crypto';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { startChild } from '../support/child.ts';
import { addCosts, costText, type Costs, costsSince, readCosts } from '../support/cpu.ts';
import type { LoadOrder, LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ServiceAnswer, ServiceSetup } from '../support/service.ts';
import { startLoad } from '../support/start-load.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const CONNECTIONS = 128;
const SECONDS = 4;
const ROUNDS = 2;

/**
 * Accepted events per second at 128 connections over many workflows, compared with a bare probe in the same run, and the latency at 500
 * per second. Probe and service alternate, so that other load on the machine affects both.
 */
export async function benchIngest(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const workflows = await seedWorkflows(database, 60, 60);
  await database.admin(
    'create table probe (id uuid primary key default uuidv7(), at timestamptz not null default now(), body jsonb not null)',
  );
  await database.admin('grant insert on probe to portal_service');
  const address = database.addressOf('portal_service');
  const probe = await startChild<object, { port: number }>(new URL('../support/probe.ts', import.meta.url), { address });
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }, object, ServiceAnswer>(
    new URL('../support/service.ts', import.meta.url),
    setup,
  );
  const paths = workflows.map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const toProbe = await startLoad({ origin: `http://127.0.0.1:${probe.ready.port}`, paths: ['/'], bodies: [BODY] });
  const toService = await startLoad({ origin: service.ready.origin, paths, bodies: [BODY] });
  try {
    const closed = (seconds: number): LoadOrder => ({ kind: 'closed', connections: CONNECTIONS, seconds });
    await toProbe.ask(closed(1));
    await toService.ask(closed(2));
    const rates = { probe: 0, service: 0 };
    await service.child.ask({});
    const costs: { probe: Costs; service: Costs } = { probe: {}, service: {} };
    let accepted = 0;
    let last: LoadResult | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of ['probe', 'service'] as const) {
        const [server, load] = side === 'probe' ? [probe.child, toProbe] : [service.child, toService];
        const parts = { node: server.pid, postgres: database.pid(), load: load.pid };
        const before = readCosts(parts);
        const result = await load.ask(closed(SECONDS));
        costs[side] = addCosts(costs[side], costsSince(before, readCosts(parts), result.accepted * ROUNDS));
        rates[side] += result.perSecond / ROUNDS;
        if (side === 'probe') continue;
        last = result;
        accepted += result.accepted;
      }
    }
    const { statements, rssMb } = await service.child.ask({});
    say(`probe    ${rates.probe.toFixed(0)} accepted/s`);
    say(
      `service  ${rates.service.toFixed(0)} accepted/s, ${timingText(last?.timing ?? { count: 0, mean: 0, p50: 0, p95: 0, p99: 0, max: 0 })}, refused ${last?.refused ?? 0}, failed ${last?.failed ?? 0}`,
    );
    say(`ratio    ${(rates.service / rates.probe).toFixed(2)} of the probe (target: 0.50 or more)`);
    say(`cpu      probe ${costText(costs.probe)}; service ${costText(costs.service)}`);
    say(`sql      ${(statements / accepted).toFixed(3)} statements per accepted event, service process ${rssMb} MB`);
    await sayTwo(rates.service, toService, setup, paths, say);
    await database.admin('checkpoint');
    const offered = await toService.ask({ kind: 'offered', connections: CONNECTIONS, perSecond: 500, seconds: 10 });
    say(
      `at 500/s ${timingText(offered.timing)} (target: mean 5 ms, p99 25 ms or less), refused ${offered.refused}, failed ${offered.failed}`,
    );
  } finally {
    for (const one of [toProbe, toService, probe.child, service.child]) await one.stop();
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>;

/** The same load on each of two processes at once, as two with `ROLE=http` behind a balancer. All of them share this machine's cores. */
async function sayTwo(alone: number, toFirst: Load, setup: ServiceSetup, paths: string[], say: (line: string) => void): Promise<void> {
  const second = await startChild<ServiceSetup, { origin: string }, object, ServiceAnswer>(
    new URL('../support/service.ts', import.meta.url),
    setup,
  );
  const toSecond = await startLoad({ origin: second.ready.origin, paths, bodies: [BODY] });
  try {
    await toSecond.ask({ kind: 'closed', connections: CONNECTIONS, seconds: 1 });
    const half = { kind: 'closed', connections: CONNECTIONS / 2, seconds: SECONDS } as const;
    const both = await Promise.all([toFirst.ask(half), toSecond.ask(half)]);
    const together = both.reduce((sum, { perSecond }) => sum + perSecond, 0);
    say(`two      ${together.toFixed(0)} accepted/s by two processes at once, ${(together / alone).toFixed(2)} of one`);
  } finally {
    await toSecond.stop();
    await second.child.stop();
  }
}
