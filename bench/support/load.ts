import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { summarise, type Timing } from './measure.ts';

/** The load generator: a separate process, so that sending requests does not slow down the server's event loop. */

/** Requests use paths and bodies in turn. */
export type LoadTarget = { origin: string; paths: string[]; bodies: string[] };
export type LoadOrder =
  | { kind: 'closed'; connections: number; seconds: number }
  | { kind: 'offered'; connections: number; perSecond: number; seconds: number };
export type LoadResult = { perSecond: number; accepted: number; refused: number; failed: number; timing: Timing };

let target: LoadTarget | undefined;
let next = 0;

process.on('message', (message: LoadTarget | LoadOrder) => {
  if (!('kind' in message)) {
    target = message;
    process.send?.({ ready: true });
    return;
  }
  void run(message).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

async function run(order: LoadOrder): Promise<LoadResult> {
  if (!target) throw new Error('The load has no target.');
  const { origin, paths, bodies } = target;
  const headers = { 'content-type': 'application/json' };
  const pool = new Pool(origin, { connections: order.connections, pipelining: 1, headersTimeout: 20_000 });
  const latencies: number[] = [];
  const counts = { accepted: 0, refused: 0, failed: 0 };
  const post = async (startedAt: number): Promise<void> => {
    const turn = next++;
    const path = paths[turn % paths.length] ?? '/';
    try {
      const { statusCode, body: answer } = await pool.request({ path, method: 'POST', headers, body: bodies[turn % bodies.length] ?? '' });
      await answer.dump();
      if (statusCode < 300) counts.accepted += 1;
      else counts.refused += 1;
      latencies.push(performance.now() - startedAt);
    } catch {
      counts.failed += 1;
    }
  };
  const beganAt = performance.now();
  if (order.kind === 'closed') await closedLoop(order, post);
  else await offeredLoop(order, post);
  const seconds = (performance.now() - beganAt) / 1000;
  await pool.close();
  return { ...counts, perSecond: counts.accepted / seconds, timing: summarise(latencies) };
}

/** Each connection sends its next request as soon as it has a response. */
async function closedLoop(order: { connections: number; seconds: number }, post: (startedAt: number) => Promise<void>): Promise<void> {
  const end = performance.now() + order.seconds * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) await post(performance.now());
  };
  await Promise.all(Array.from({ length: order.connections }, worker));
}

/** Sends at a fixed rate even when responses are late; latency counts from the time a request was due. */
async function offeredLoop(order: { perSecond: number; seconds: number }, post: (startedAt: number) => Promise<void>): Promise<void> {
  const total = order.perSecond * order.seconds;
  const gapMs = 1000 / order.perSecond;
  const beganAt = performance.now();
  const under: Promise<void>[] = [];
  for (let sent = 0; sent < total;) {
    const dueNow = Math.min(total, Math.floor((performance.now() - beganAt) / gapMs) + 1);
    for (; sent < dueNow; sent += 1) under.push(post(beganAt + sent * gapMs));
    await delay(1);
  }
  await Promise.all(under);
}
