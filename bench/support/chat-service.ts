import type { AddressInfo } from 'node:net';
import { routes } from '@partner-portal/contract/index.ts';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { bindRoute, type BindDeps } from '@partner-portal/service/platform/http/bind-route.ts';
import { createRateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { createServer } from '@partner-portal/service/platform/http/server.ts';
import { createSessions } from '@partner-portal/service/platform/http/session.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { openTurnProcess, type TurnTask } from '@partner-portal/tests/harness/turn-process.ts';

/** The service with the routes of visitors in a process of its own. Answers each question with what it has used so far. */
export type ChatUsage = { cpuMs: number; memoryMb: number };

process.once('message', (task: TurnTask) => void start(task));
process.on('disconnect', () => process.exit(0));

async function start(task: TurnTask): Promise<void> {
  const log = createLog('error', { write: (line) => void process.stderr.write(line) });
  const { talks } = openTurnProcess(task);
  const limits = createRateLimits(rateLimitWindows({ callerRequestsPerMinute: 100_000 }));
  const server = await createServer({
    log,
    baseUrl: 'http://portal.test',
    corsOrigins: [],
    trustedProxies: ['127.0.0.1'],
    limits,
    portalDir: '/nonexistent',
  });
  const sessions = await createSessions(server, { secret: new Secret('t'.repeat(48)), expiresInSeconds: 3_600, clock: systemClock });
  const deps: BindDeps = { sessions, limits, clock: systemClock, closing: new AbortController().signal, onRefused: async () => undefined };
  for (const [name, route] of Object.entries(routes) as [string, RouteShape][]) {
    const handler = (talks.routes as Record<string, unknown>)[name];
    // Each handler was typed by its own route in its module.
    if (handler) bindRoute(server, deps, name, route, handler as Parameters<typeof bindRoute>[4]);
  }
  await server.listen({ host: '127.0.0.1', port: 0 });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    process.send?.({ cpuMs: (user + system) / 1_000, memoryMb: process.memoryUsage.rss() / 1_048_576 } satisfies ChatUsage);
  });
  const { port } = server.server.address() as AddressInfo; // listening on TCP
  process.send?.({ origin: `http://127.0.0.1:${port}` });
}
