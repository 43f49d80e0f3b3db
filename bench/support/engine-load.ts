import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { summarise, type Timing } from './measure.ts';

/**
 * Sends events to webhooks and is the target of the flows' HTTP steps, in one process, so that one clock sees an event leave and
 * its steps arrive. `/first` is a run's first step, `/last` its last; both carry the event's number.
 */

type Place = { origin: string; paths: string[] };
export type EngineOrder =
  /** Keeps `window` executions in flight. */
  | ({ kind: 'sustained'; window: number; seconds: number } & Place)
  /** A fixed low rate. */
  | ({ kind: 'offered'; perSecond: number; seconds: number } & Place)
  /** `count` events of one partner at once; single events of another follow when half and when all of them are accepted. */
  | ({ kind: 'burst'; count: number; newcomer: string } & Place);
export type EngineLoadAnswer = {
  /** Executions whose last step arrived. */
  ended: number;
  perSecond: number;
  refused: number;
  /** Time from sending an event to the arrival of its first step. */
  first: Timing;
  /** In a burst: the seconds until all events were accepted, and the wait of each newcomer with the number of runs ahead of it. */
  acceptedSeconds: number;
  newcomers: { latencyMs: number; backlog: number }[];
};

const WAIT_MS_MAX = 60_000;

const sentAt = new Map<number, number>();
const firsts: number[] = [];
const onFirst = new Map<number, (at: number) => void>();
const onLast = new Map<number, () => void>();
let next = 0;
let ended = 0;
let refused = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const at = performance.now();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    arrived(request.url === '/last', (JSON.parse(Buffer.concat(chunks).toString()) as { n: number }).n, at); // the bench's own flows
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port })); // listening on TCP

process.on('message', (message: EngineOrder | object) => {
  if ('kind' in message) void carryOut(message).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));

function arrived(isLast: boolean, n: number, at: number): void {
  const sent = sentAt.get(n);
  if (sent !== undefined) {
    sentAt.delete(n);
    firsts.push(at - sent);
    onFirst.get(n)?.(at - sent);
    onFirst.delete(n);
  }
  if (!isLast) return;
  ended += 1;
  onLast.get(n)?.();
  onLast.delete(n);
}

async function carryOut(order: EngineOrder): Promise<EngineLoadAnswer> {
  const pool = new Pool(order.origin, { connections: 64, headersTimeout: 30_000 });
  firsts.length = 0;
  ended = 0;
  refused = 0;
  const beganAt = performance.now();
  const send = (path?: string) => sendEvent(pool, path ?? order.paths[next % order.paths.length] ?? '/');
  let burst: Pick<EngineLoadAnswer, 'acceptedSeconds' | 'newcomers'> = { acceptedSeconds: 0, newcomers: [] };
  if (order.kind === 'sustained') await sustain(order, send);
  else if (order.kind === 'offered') await offer(order, send);
  else burst = await pour(order, send);
  const perSecond = (ended * 1000) / (performance.now() - beganAt);
  const answer = { ended, perSecond, refused, first: summarise(firsts), ...burst };
  await pool.close();
  return answer;
}

type Sent = { accepted: Promise<void>; first: Promise<number>; last: Promise<void> };

function sendEvent(pool: Pool, path: string): Sent {
  const n = next++;
  const first = new Promise<number>((resolve) => onFirst.set(n, resolve));
  const last = new Promise<void>((resolve) => onLast.set(n, resolve));
  const post = async (): Promise<void> => {
    sentAt.set(n, performance.now());
    const { statusCode, body } = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ n }),
    });
    await body.dump();
    if (statusCode !== 200) refused += 1;
  };
  return { accepted: post(), first, last };
}

async function sustain(order: { window: number; seconds: number }, send: () => Sent): Promise<void> {
  const end = performance.now() + order.seconds * 1000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const { accepted, last } = send();
      await Promise.all([accepted, last]);
    }
  };
  await within(Promise.all(Array.from({ length: order.window }, one)));
}

async function offer(order: { perSecond: number; seconds: number }, send: () => Sent): Promise<void> {
  const total = order.perSecond * order.seconds;
  const beganAt = performance.now();
  const under: Promise<unknown>[] = [];
  for (let sent = 0; sent < total; sent += 1) {
    const waitMs = beganAt + (sent * 1000) / order.perSecond - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const { accepted, last } = send();
    under.push(accepted, last);
  }
  await within(Promise.all(under));
}

async function pour(
  order: { count: number; newcomer: string },
  send: (path?: string) => Sent,
): Promise<Pick<EngineLoadAnswer, 'acceptedSeconds' | 'newcomers'>> {
  const beganAt = performance.now();
  const newcomers: { latencyMs: number; backlog: number }[] = [];
  const lasts: Promise<void>[] = [];
  const arrive = async (accepted: number): Promise<void> => {
    const backlog = accepted - ended;
    const { first, last } = send(order.newcomer);
    lasts.push(last);
    newcomers.push({ latencyMs: await first, backlog });
  };
  for (const half of [1, 2]) {
    const runs = Array.from({ length: order.count / 2 }, () => send());
    for (const run of runs) lasts.push(run.last);
    await Promise.all(runs.map((run) => run.accepted));
    if (half === 1) lasts.push(arrive(order.count / 2));
  }
  const acceptedSeconds = (performance.now() - beganAt) / 1000;
  lasts.push(arrive(order.count));
  await within(Promise.all(lasts));
  return { acceptedSeconds, newcomers };
}

/** An execution that never finishes fails the bench instead of hanging it. */
async function within(work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error('Runs did not end in time.')), WAIT_MS_MAX);
  await Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
