import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';

const recordedShape = z.object({
  exchanges: z.record(
    z.string(),
    z.object({
      method: z.string(),
      path: z.string(),
      status: z.number(),
      headers: z.record(z.string(), z.string()).default({ 'content-type': 'application/json; charset=utf-8' }),
      body: z.json().optional(),
    }),
  ),
});
const { exchanges } = recordedShape.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'engine', 'client-exchanges.json'), 'utf8')),
);

export type ReplayAnswer = {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The answer waits for it. */ until?: Promise<unknown>;
};
export type ReplayRequest = { method: string; path: string; query: URLSearchParams; token: string | null; body: unknown };
export type ReplayRoute = (request: ReplayRequest, count: number) => ReplayAnswer | Promise<ReplayAnswer>;

/** One recorded answer of the real engine, trimmed to what the client reads, with members of its body replaced. */
export function recorded(name: string, replace: Record<string, unknown> = {}): ReplayAnswer {
  const exchange = exchanges[name];
  if (!exchange) throw new Error(`No recorded exchange is named "${name}".`);
  const { body } = exchange;
  const object = typeof body === 'object' && body !== null && !Array.isArray(body);
  return { status: exchange.status, headers: exchange.headers, body: object ? { ...body, ...replace } : body };
}

/** A token as the real engine makes them; only its end is read. */
export function replayToken(expiresAt: Date, tag = ''): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', kid: '1' })}.${part({ type: 'USER', tag, exp: Math.floor(expiresAt.getTime() / 1000) })}.signature`;
}

export type ReplayEngine = {
  url: string;
  /** Every request that arrived, oldest first. */
  requests: ReplayRequest[];
  /** How many requests came to `METHOD /path` (the path without query). */
  count(route: string): number;
  /** Answers of `METHOD /path`, in order; the last one repeats. A function decides by request and count. */
  on(route: string, ...answers: (ReplayAnswer | ReplayRoute)[]): void;
  close(): Promise<void>;
};

/**
 * Starts an engine that replays recorded responses of the real one. By default it is healthy, of the recorded version, signs in, and
 * serves a web page for every address without the `/api` prefix, as the real one does.
 */
export async function startReplayEngine(): Promise<ReplayEngine> {
  const routes = new Map<string, (ReplayAnswer | ReplayRoute)[]>();
  const requests: ReplayRequest[] = [];
  const count = (route: string): number => requests.filter((request) => `${request.method} ${request.path}` === route).length;

  const answer = async (request: ReplayRequest): Promise<ReplayAnswer> => {
    const route = `${request.method} ${request.path}`;
    const answers = routes.get(route);
    if (answers) {
      const index = count(route) - 1;
      const one = answers[Math.min(index, answers.length - 1)];
      if (one) return typeof one === 'function' ? one(request, index) : one;
    }
    if (!request.path.startsWith('/api/')) return recorded('health-without-api-prefix');
    return {
      status: 404,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { statusCode: 404, error: 'Not Found', message: 'Route not found' },
    };
  };
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing, requests, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server
  const engine: ReplayEngine = {
    url: `http://127.0.0.1:${port}`,
    requests,
    count,
    on: (route, ...answers) => void routes.set(route, answers),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  engine.on('GET /api/v1/health', recorded('health-ok'));
  engine.on('GET /api/v1/flags', recorded('flags'));
  engine.on('POST /api/v1/authentication/sign-in', (_, n) =>
    recorded('sign-in-ok', { token: replayToken(new Date(Date.now() + 604_800_000), String(n)) }),
  );
  return engine;
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requests: ReplayRequest[],
  answer: (request: ReplayRequest) => Promise<ReplayAnswer>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? '/', 'http://engine.test');
  const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? null;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const request = { method: incoming.method ?? '', path: decodeURIComponent(url.pathname), query: url.searchParams, token, body };
  requests.push(request);
  const given = await answer(request);
  await given.until;
  outgoing.writeHead(given.status, given.headers ?? { 'content-type': 'application/json; charset=utf-8' });
  outgoing.end(given.body === undefined ? '' : typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
}
