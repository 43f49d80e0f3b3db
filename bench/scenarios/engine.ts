import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEngine } from '@partner-portal/service/adapters/embedded-engine.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { callEngine, chain, codeStep, httpStep, publishFlow } from '@partner-portal/tests/engine/harness.ts';
import { startChild } from '../support/child.ts';
import { addCosts, type Costs, costsSince, costText, readCosts } from '../support/cpu.ts';
import type { BenchDatabase } from '../support/database.ts';
import type { EngineLoadAnswer, EngineOrder } from '../support/engine-load.ts';
import { timingText } from '../support/measure.ts';
import { highestMemory, memoryText, readMemory } from '../support/memory.ts';

const ADMIN = { email: 'engine-admin@example.com', password: 'correct horse battery' };
const AGENCIES = 4;
const WINDOW = 256;
const SECONDS = 4;
const ROUNDS = 2;
const BURST = 5_000;
const EVENT = { n: '{{trigger.body.n}}' };

type Flows = { http: string[]; code: string[]; newcomer: string };

/**
 * The embedded engine as its own process with every step durable, compared with a bare worker that makes the same two POSTs from memory.
 * One process sends the events and receives the calls; worker and engine alternate, so that other load on the machine affects both.
 */
export async function benchEngine(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const { ready, child: load } = await startChild<object, { port: number }, EngineOrder, EngineLoadAnswer>(
    new URL('../support/engine-load.ts', import.meta.url),
    {},
  );
  const sink = `http://127.0.0.1:${ready.port}`;
  const probe = await startChild<object, { port: number }>(new URL('../support/engine-probe.ts', import.meta.url), { sink });
  const compileCacheDir = mkdtempSync(join(tmpdir(), 'portal-bench-engine-'));
  const start = async () => {
    const started = startEmbeddedEngine({
      database: database.addressOf('portal_engine'),
      adminEmail: ADMIN.email,
      adminPassword: new Secret(ADMIN.password),
      encryptionKey: new Secret(Buffer.alloc(32, 3).toString('base64')),
      allowedHosts: [`127.0.0.1:${ready.port}`],
      compileCacheDir,
      log: createLog('error', { write: (line: string) => void process.stderr.write(line) }),
      startLimitMs: 30_000,
    });
    await started.ready;
    return started;
  };
  // As in every start except the first, the engine's code is already compiled.
  await (await start()).stop();
  const engine = await start();
  try {
    const origin = engine.baseUrl() ?? '';
    const flows = await publishFlows(origin, sink);
    const [bare, ours] = [
      { origin: `http://127.0.0.1:${probe.ready.port}`, paths: ['/'] },
      { origin, paths: flows.http },
    ];
    const pid = engine.pid() ?? 0;
    await compare(load.ask, { bare, ours, pid, settle: () => database.admin('checkpoint') }, say);
    const code = await load.ask({ kind: 'sustained', window: WINDOW, seconds: SECONDS, origin, paths: flows.code });
    say(`code + HTTP     ${code.perSecond.toFixed(0)} runs/s, refused ${code.refused}`);
    await burst(load.ask, { bare, ours, newcomer: flows.newcomer, pid }, say);
  } finally {
    await engine.stop();
    for (const one of [probe.child, load]) await one.stop();
    rmSync(compileCacheDir, { recursive: true, force: true });
  }
}

type Place = { origin: string; paths: string[] };
type Ask = (order: EngineOrder) => Promise<EngineLoadAnswer>;

type Compared = { bare: Place; ours: Place; pid: number; settle: () => Promise<unknown> };

async function compare(ask: Ask, { bare, ours, pid, settle }: Compared, say: (line: string) => void): Promise<void> {
  const idle = readMemory(pid);
  const sustained = (place: Place, seconds: number): Promise<EngineLoadAnswer> =>
    ask({ kind: 'sustained', window: WINDOW, seconds, ...place });
  // Warm, but before the load, whose pending writes and garbage must not affect this latency.
  await sustained(bare, 1);
  await sustained(ours, 2);
  await settle();
  const low = (place: Place): Promise<EngineLoadAnswer> => ask({ kind: 'offered', perSecond: 20, seconds: 8, ...place });
  const [probeLow, engineLow] = [await low(bare), await low(ours)];
  const rates = { probe: 0, engine: 0 };
  let refused = 0;
  let costs: Costs = {};
  let highest = readMemory(pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.probe += (await sustained(bare, SECONDS)).perSecond / ROUNDS;
    const before = readCosts({ engine: pid });
    const { result, memory } = await highestMemory(pid, sustained(ours, SECONDS));
    costs = addCosts(costs, costsSince(before, readCosts({ engine: pid }), result.ended * ROUNDS));
    rates.engine += result.perSecond / ROUNDS;
    refused += result.refused;
    if ((memory?.rssMb ?? 0) > (highest?.rssMb ?? 0)) highest = memory;
  }
  say(`probe           ${rates.probe.toFixed(0)} executions/s of two HTTP steps, from memory`);
  say(`engine          ${rates.engine.toFixed(0)} executions/s of two HTTP steps (target: 300 or more, aim 465), refused ${refused}`);
  say(`ratio           ${(rates.engine / rates.probe).toFixed(2)} of the probe`);
  say(`cpu             ${costText(costs)}`);
  say(`event → step    ${timingText(engineLow.first)} at 20/s (target: p50 10 ms or less)`);
  say(`                probe ${timingText(probeLow.first)}: × ${(engineLow.first.p50 / probeLow.first.p50).toFixed(1)} at p50`);
  say(`memory          idle ${memoryText(idle)}; under load ${memoryText(highest)} (target: 150 MB or less)`);
}

async function burst(
  ask: Ask,
  at: { bare: Place; ours: Place; newcomer: string; pid: number },
  say: (line: string) => void,
): Promise<void> {
  const probe = await ask({ kind: 'burst', count: BURST, newcomer: '/', ...at.bare });
  const [own = ''] = at.ours.paths;
  const order: EngineOrder = { kind: 'burst', count: BURST, newcomer: at.newcomer, origin: at.ours.origin, paths: [own] };
  const { result, memory } = await highestMemory(at.pid, ask(order));
  const seconds = (answer: EngineLoadAnswer): number => answer.ended / answer.perSecond;
  say(
    `burst of ${BURST}   accepted in ${result.acceptedSeconds.toFixed(1)} s, done in ${seconds(result).toFixed(1)} s, × ${(seconds(result) / seconds(probe)).toFixed(1)} of the probe, refused ${result.refused}, ${memoryText(memory)}`,
  );
  for (const [index, { latencyMs, backlog }] of result.newcomers.entries()) {
    const beside = probe.newcomers[index]?.latencyMs ?? 0;
    say(
      `newcomer        ${latencyMs.toFixed(0)} ms behind ${backlog} runs (target: 1000 or less), × ${(latencyMs / beside).toFixed(2)} of the probe`,
    );
  }
}

/** Creates a flow of each kind for each partner, and one for a partner outside the burst. Returns the paths of their webhooks. */
async function publishFlows(origin: string, sink: string): Promise<Flows> {
  const signIn = await callEngine(origin, undefined, 'POST', '/api/v1/authentication/sign-in', ADMIN);
  const { token, projectId } = signIn.body as { token: string; projectId: string }; // the embedded engine's response
  const call = (method: string, path: string, body?: unknown): ReturnType<typeof callEngine> =>
    callEngine(origin, token, method, path, body);
  const post = (path: string, data: object) => httpStep(path.slice(1), `${sink}${path}`, { body: { data } });
  const publish = async (agency: number | string, ...steps: Parameters<typeof chain>): Promise<string> =>
    `/api/v1/webhooks/${await publishFlow({ call, projectId }, chain(...steps), { metadata: { partnerId: `agency-${agency}` } })}`;
  const flows: Flows = { http: [], code: [], newcomer: await publish('newcomer', post('/first', EVENT), post('/last', EVENT)) };
  for (let agency = 0; agency < AGENCIES; agency += 1) {
    flows.http.push(await publish(agency, post('/first', EVENT), post('/last', EVENT)));
    const code = codeStep('build', 'export const code = async (inputs) => ({ n: inputs.n });', EVENT);
    flows.code.push(await publish(agency, code, post('/last', { n: '{{build.n}}' })));
  }
  return flows;
}
