import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyLimitOf, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { RouteCall } from '../../harness/callers.ts';
import { bodyOf } from '../../harness/route-cases.ts';
import { whenClosed } from '../../harness/when-closed.ts';

/** The ways in which a hostile sender delivers a body. */
export const ENDINGS = ['stalled', 'dripping', 'huge', 'halfClosed', 'aborted', 'pipelined'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A route's request, with a body that is good as far as it goes. */
export type HostileRequest = { name: RouteName; call: RouteCall; address: string };

const DRIP_MS = 1_000;
/** Above the limit for callers without proof. */
const STALLED_BYTES = LIMITS.unprovenBodyBytesMax + 4_096;
const CHUNK_BYTES = 64 * 1_024;

/** Every route that reads a body: any but a GET. */
export const BODY_ROUTES = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].method !== 'GET'); // the keys of the table itself

/** The head of a request without the framing of its body, and how its body begins. */
function partsOf({ name, call, address }: HostileRequest): { lines: string; start: string } {
  const route: RouteShape = routes[name];
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) => encodeURIComponent(call.params?.[key] ?? ''));
  const search = new URLSearchParams(call.query).toString();
  const good = JSON.stringify({ ...bodyOf(name, route), pad: '' });
  const lines = [
    `${route.method} ${path}${search && `?${search}`} HTTP/1.1`,
    'host: x.test',
    `x-forwarded-for: ${address}`,
    `content-type: ${route.upload ? 'multipart/form-data; boundary=b' : 'application/json'}`,
    ...(call.authorization === undefined ? [] : [`authorization: ${call.authorization}`]),
    ...Object.entries(call.headers ?? {}).map(([header, value]) => `${header}: ${value}`),
  ].join('\r\n');
  const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  return { lines, start: route.upload ? form : good.slice(0, -2) };
}

/** Returns the text of a request that declares `declared` bytes of body and sends only `sent`. */
export function halfRequest(request: HostileRequest, declared: number, sent: number): string {
  const { lines, start } = partsOf(request);
  return `${lines}\r\ncontent-length: ${declared}\r\n\r\n${start.padEnd(sent, 'x')}`;
}

/** `sent`: the server has what is sent at once; `statuses`: of the answers, none when it only closed the connection. */
export type Sending = { sent: Promise<void>; statuses: Promise<number[]> };

/** Sends a request that ends like this. A stalled or dripping sender waits for as long as the server lets it. */
export function sendHostile(port: number, request: HostileRequest, ending: Ending): Sending {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const closed = whenClosed(socket);
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.once('end', () => socket.destroy());
  const isOver = Promise.race([once(socket, 'data').catch(() => undefined), closed]);
  const sent = Promise.race([once(socket, 'connect').then(() => send(socket, request, ending)), closed]).then(() => undefined);
  const end = async (): Promise<number[]> => {
    await sent;
    if (ending === 'dripping') await drip(socket, isOver);
    await (ending === 'pipelined' ? closed : isOver);
    socket.destroy();
    await closed;
    return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  };
  return { sent, statuses: end() };
}

async function send(socket: Socket, request: HostileRequest, ending: Ending): Promise<void> {
  const { lines, start } = partsOf(request);
  const limit = bodyLimitOf(routes[request.name]);
  const half = halfRequest(request, limit, Math.min(STALLED_BYTES, Math.ceil(limit / 2)));
  const chunked = `${lines}\r\ntransfer-encoding: chunked\r\n\r\n${chunk(start)}`;
  if (ending === 'stalled') socket.write(half);
  else if (ending === 'dripping') socket.write(chunked);
  else if (ending === 'huge') await flood(socket, chunked, limit);
  else if (ending === 'halfClosed') socket.end(half);
  else if (ending === 'aborted') socket.write(half, () => socket.resetAndDestroy());
  else {
    // Broken, so that nothing is done.
    const broken = `${lines}\r\ncontent-length: 1\r\n\r\n{`;
    socket.write(`${broken}${broken}GET /health HTTP/1.1\r\nhost: x.test\r\nconnection: close\r\n\r\n`);
  }
}

const chunk = (part: string): string => `${part.length.toString(16)}\r\n${part}\r\n`;

/** Sends a byte now and then until it is answered. */
async function drip(socket: Socket, isOver: Promise<unknown>): Promise<void> {
  const dripping = setInterval(() => void (socket.writable && socket.write(chunk('x'))), DRIP_MS);
  await isOver.finally(() => clearInterval(dripping));
}

/** Sends as much as the server takes, beyond what the route may have, and does not listen. */
async function flood(socket: Socket, head: string, limit: number): Promise<void> {
  const part = chunk('x'.repeat(CHUNK_BYTES));
  socket.write(head);
  for (let sent = 0; sent <= limit + 4 * CHUNK_BYTES && socket.writable; sent += CHUNK_BYTES)
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
}

/** Runs `work` for each item, at most `atOnce` in parallel. */
export async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const one = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** Asks for `/health` again and again until the signal aborts. Returns how often it was answered. */
export async function askHealth(baseUrl: string, signal: AbortSignal): Promise<number> {
  let answered = 0;
  while (!signal.aborted) {
    const response = await fetch(`${baseUrl}/health`);
    await response.text();
    if (response.status !== 200) throw new Error(`/health answered ${response.status}.`);
    answered += 1;
    await delay(50, undefined, { signal }).catch(() => undefined);
  }
  return answered;
}
