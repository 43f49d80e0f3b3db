import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { refuseForeignHost, requireBearer } from './access.ts';
import { anthropic } from './anthropic.ts';
import { calcom } from './calcom.ts';
import { migrateSandbox } from './migrate.ts';
import { openai } from './openai.ts';
import type { StandIn } from './provider.ts';
import { addReceiver } from './receiver.ts';
import { resend } from './resend.ts';
import { listCalls, saveCall, trimCalls } from './store.ts';
import { twilio } from './twilio.ts';
import { addWebsite } from './website.ts';

export type SandboxOptions = {
  /** Connection of a role that owns schema `sandbox`, or may create it. */
  pg: pg.PoolConfig;
  /** A loopback address. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Base URL of the portal, whose widget the demo website carries. */
  portalUrl?: string;
};

/** `token`: the bearer of `GET /calls`, of the receiver's secrets and the website's chatbot, another at each start. */
export type Sandbox = { port: number; token: string; close(): Promise<void> };

const STAND_INS: { readonly [provider: string]: StandIn } = { openai, anthropic, calcom, resend, twilio };
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const TRIM_EVERY_MS = 10 * 60_000;

/**
 * Starts the sandbox that replaces the third-party services: `/openai`, `/anthropic`, `/calcom`, `/resend`, `/twilio` speak their
 * public wire formats, `/receiver/<name>` accepts signed webhooks, `/sandbox/website` is a website with a chatbot, `GET /calls` lists every call received, for the
 * bearer `token` only. Migrates its schema first.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  // Losing the last call in a crash is acceptable; waiting for the disk on each would slow every execution.
  const pool = new pg.Pool({ max: 4, ...options.pg, options: '-c synchronous_commit=off' });
  // An idle connection may end with the database; the next query opens another.
  pool.on('error', () => undefined);
  await migrateSandbox(pool);
  await trimCalls(pool);
  const token = randomBytes(32).toString('base64url');
  const app = buildServer(pool, token, options.portalUrl ?? null);
  await app.listen({ host: options.host, port: options.port });
  const trimmer = setInterval(() => void trimCalls(pool).catch(() => undefined), TRIM_EVERY_MS);
  trimmer.unref();
  // Safe: a server that listens on TCP has an address with a port.
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    token,
    close: async () => {
      clearInterval(trimmer);
      await app.close();
      await pool.end();
    },
  };
}

function buildServer(pool: pg.Pool, token: string, portalUrl: string | null): FastifyInstance {
  const onRequest = requireBearer(token);
  const app = fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  app.addHook('onRequest', refuseForeignHost);
  app.register(formbody, { parser: readForm });
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/calls', { onRequest }, async (request, reply) => {
    const query = readQuery(request);
    const limit = Math.min(100, Math.max(1, Number(query['limit'] ?? 25) || 25));
    const cursor = query['cursor'];
    if (cursor !== undefined && !/^[0-9a-f-]{36}$/.test(cursor)) return reply.status(400).send({ message: 'The cursor is not valid' });
    return listCalls(pool, {
      limit,
      ...(query['provider'] ? { provider: query['provider'] } : {}),
      ...(query['q'] ? { q: query['q'] } : {}),
      ...(cursor === undefined ? {} : { cursor }),
    });
  });
  addReceiver(app, pool, onRequest);
  addWebsite(app, pool, { portalUrl, onRequest });
  app.all('/:provider/*', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    const [, provider = ''] = path.split('/');
    const standIn = STAND_INS[provider];
    if (standIn === undefined) return reply.status(404).send({ message: 'No such provider' });
    const providerPath = path.slice(provider.length + 1);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const ask = {
      method: request.method,
      path: providerPath,
      query: readQuery(request),
      headers: request.headers,
      body: request.body,
      now: new Date(),
      pool,
      signal: left.signal,
    };
    const answer = await standIn.answer(ask);
    await saveCall(pool, {
      provider,
      method: request.method,
      path: standIn.storedPath?.(providerPath) ?? providerPath,
      body: bodyText(request.body),
      status: answer.status,
    });
    reply.status(answer.status).headers(answer.headers ?? {});
    if ('pieces' in answer) return reply.type(answer.contentType).send(Readable.from(answer.pieces));
    return reply.send(answer.body);
  });
  return app;
}

function readQuery(request: FastifyRequest): { [key: string]: string } {
  const url = new URL(request.url, 'http://sandbox.invalid');
  return Object.fromEntries(url.searchParams);
}

const RAW = Symbol('form as it was sent');

function readForm(text: string): { [key: string]: string; [RAW]: string } {
  return { ...Object.fromEntries(new URLSearchParams(text)), [RAW]: text };
}

// Credentials are sent in headers and, for one provider, in the path; never in bodies.
function bodyText(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'object' && RAW in body) return String(body[RAW]);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
