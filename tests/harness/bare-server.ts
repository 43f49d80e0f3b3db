import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@partner-portal/service/platform/clock.ts';
import type { BindDeps } from '@partner-portal/service/platform/http/bind-route.ts';
import { createRateLimits, type RateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { createServer, type ServerOptions } from '@partner-portal/service/platform/http/server.ts';
import { createSessions } from '@partner-portal/service/platform/http/session.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { type LimitName, rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';

type App = Awaited<ReturnType<typeof createServer>>;
type Options = Partial<Omit<ServerOptions, 'limits'>> & { limits?: RateLimits<LimitName>; clock?: Clock };

/** The platform's server without a database, a portal and routes, and what binds a route to it. It does not listen yet. */
export async function createBareServer(options: Options = {}): Promise<{ app: App; deps: BindDeps }> {
  const { limits = createRateLimits(rateLimitWindows()), clock = systemClock, ...rest } = options;
  const app = await createServer({
    log: createLog('silent'),
    baseUrl: 'http://portal.test',
    corsOrigins: [],
    trustedProxies: [],
    limits,
    portalDir: '',
    ...rest,
  });
  const sessions = await createSessions(app, { secret: new Secret('k'.repeat(48)), expiresInSeconds: 86_400, clock });
  return { app, deps: { sessions, limits, clock, closing: new AbortController().signal, onRefused: async () => undefined } };
}

/** Listens on a free port of this machine, and returns it. */
export async function listenLocally(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port; // listening on TCP
}
