import { createServer as createBareServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { routes } from '@partner-portal/contract/index.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { argon2Hasher, identity } from '@partner-portal/service/modules/2-tenancy/identity/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { bindRoute } from '@partner-portal/service/platform/http/bind-route.ts';
import { createRateLimits, type RateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { type LimitName, rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createServer } from '@partner-portal/service/platform/http/server.ts';
import { createSessions, type Sessions } from '@partner-portal/service/platform/http/session.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';

/** The service's HTTP server with login and profile, and for comparison the bare hash and a bare server that checks a token. */

export type IdentitySetup = { address: DatabaseAddress };
export type IdentityReady = { origin: string; bareOrigin: string; passwordHash: string };
/** Verifies one password repeatedly, `width` at once, for some seconds. */
export type HashOrder = { width: number; seconds: number };
export type HashResult = { done: number };

export const BENCH_PASSWORD = 'seven green sparrows';
const BOUND = ['login', 'getMe'] as const;
/** As many callers as a load generator plays. */
const CALLERS = 2_000;

process.once('message', (setup: IdentitySetup) => void start(setup));
process.on('disconnect', () => process.exit(0));

async function start({ address }: IdentitySetup): Promise<void> {
  const log = createLog('info', { write: () => undefined });
  const facts = createFacts();
  facts.register(consequences({ notify: async () => undefined, agentRequests: null, baseUrl: 'http://127.0.0.1' }));
  const db = createDatabase(createPool(address, { name: 'bench', max: 20 }), facts);
  const limits = asManyCallers(createRateLimits(rateLimitWindows()));
  const baseUrl = 'http://127.0.0.1';
  const server = await createServer({ log, baseUrl, corsOrigins: [], trustedProxies: [], limits, portalDir: '/nonexistent' });
  const sessions = await createSessions(server, { secret: new Secret('bench'.repeat(10)), expiresInSeconds: 3600, clock: systemClock });
  const dataKeys = createDataKeys([{ id: 'bench', key: Buffer.alloc(32, 1) }]);
  const who = identity({
    db,
    sessions,
    limits,
    dataKeys,
    queueMail: async () => undefined,
    baseUrl,
    sandbox: false,
    staffMfaRequired: false,
  });
  for (const name of BOUND) {
    const handler = who.routes[name] as Parameters<typeof bindRoute>[4]; // typed by its own route in its module
    const deps = { sessions, limits, clock: systemClock, closing: new AbortController().signal, onRefused: async () => undefined };
    bindRoute(server, deps, name, routes[name], handler);
  }
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const bareOrigin = await listenBare(sessions);
  const passwordHash = await argon2Hasher.hash(BENCH_PASSWORD);
  process.on('message', (order: HashOrder) => void verifyFor(order, passwordHash).then((result) => process.send?.(result)));
  process.send?.({ origin, bareOrigin, passwordHash } satisfies IdentityReady);
}

/** Counts as in production, but one address represents many callers. */
function asManyCallers(limits: RateLimits<LimitName>): RateLimits<LimitName> {
  let turn = 0;
  const many = (name: string, key: string): string =>
    ['caller', 'tenant'].includes(name) ? `${key}#${(turn = (turn + 1) % CALLERS)}` : key;
  const count: RateLimits<LimitName>['count'] = async (name, key) => ({ ...(await limits.count(name, many(name, key))), exceeded: false });
  return { ...limits, count, countBoth: async (first, second) => [await count(...first), await count(...second)] };
}

async function verifyFor({ width, seconds }: HashOrder, passwordHash: string): Promise<HashResult> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (; performance.now() < end; done += 1) await argon2Hasher.verify(passwordHash, BENCH_PASSWORD);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { done };
}

/** The minimum cost of an authenticated read: HTTP and the token's signature. */
async function listenBare(sessions: Sessions): Promise<string> {
  const server = createBareServer((request, response) => {
    try {
      const { userId } = sessions.read(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ userId }));
    } catch {
      response.writeHead(401).end();
    }
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
}
