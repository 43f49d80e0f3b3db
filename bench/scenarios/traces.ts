import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addAgents, loadEvents } from '@partner-portal/tests/faults/events.ts';
import { seedDemo, startSystem, type System, until } from '@partner-portal/tests/harness/system.ts';
import { addCosts, type Costs, costsSince, costText, readCosts } from '../support/cpu.ts';

const TURNS = 20;
/** No agent gets more than the sixty events a minute that it takes. */
const AGENTS = 300;
const WARM = 1_000;

/** Two systems, one with traces and one without, get the same number of events in short turns: processor time of a run, by part. */
export async function benchTraces(say: (line: string) => void, events = 3_000): Promise<void> {
  const collector = await startCollector();
  const systems = await Promise.all([
    startSystem({ env: { LOG_LEVEL: 'warn' } }),
    startSystem({ env: { LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }),
  ]);
  try {
    const agents: string[][] = [];
    for (const system of systems) {
      agents.push(await addAgents(system, await seedDemo(system), AGENTS));
      await system.query('update partner_quota set purchased_credits = purchased_credits + 1000000');
    }
    const turn = async (index: number, count: number): Promise<Costs> => {
      const system = systems[index];
      if (!system) throw new Error('There are two systems.');
      const before = read(system);
      const accepted = await loadEvents(system, agents[index] ?? [], count);
      if (accepted.size !== count) throw new Error(`${accepted.size} of ${count} events were accepted.`);
      await until('no run is open', async () => {
        const [row] = await system.query<{ open: number }>(`select count(*)::int as open from execution where status = 'RUNNING'`);
        return row?.open === 0;
      });
      return costsSince(before, read(system), count);
    };
    for (const index of [0, 1]) await turn(index, WARM);
    const sums: Costs[] = [{}, {}];
    const ratios: number[] = [];
    for (let round = 0; round < TURNS; round += 1) {
      const costs: Costs[] = [];
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) costs[index] = await turn(index, Math.ceil(events / TURNS));
      for (const index of [0, 1]) sums[index] = addCosts(sums[index] ?? {}, costs[index] ?? {});
      ratios.push(total(costs[1]) / total(costs[0]));
    }
    for (const [index, name] of ['off', 'on '].entries()) {
      const mean = Object.fromEntries(Object.entries(sums[index] ?? {}).map(([part, us]) => [part, us / TURNS]));
      say(`${name}        ${costText(mean)}`);
    }
    const sorted = ratios.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
    say(
      `on / off   ${(total(sums[1]) / total(sums[0])).toFixed(3)}; of ${TURNS} turns: median ${at(0.5)}, quartiles ${at(0.25)} and ${at(0.75)}`,
    );
    say(`collector  ${collector.bytes()} bytes in ${collector.posts()} posts`);
  } finally {
    for (const system of systems) await system.stop();
    await collector.close();
  }
}

const total = (costs: Costs | undefined): number => Object.values(costs ?? {}).reduce((sum, one) => sum + one, 0);

/** The two processes that record spans, without their children: those that end take with them what they have used. */
const read = (system: System): Costs => readCosts({ service: system.pid(), engine: system.enginePid() ?? 0 }, false);

/** Takes spans and discards them. */
async function startCollector() {
  let [bytes, posts] = [0, 0];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      posts += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => bytes,
    posts: () => posts,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
