import { routes } from '@partner-portal/contract/index.ts';
import { isCallbackToken } from '@partner-portal/core/execution/token.ts';
import { recordRefusal } from '@partner-portal/service/modules/1-ledger/audit/index.ts';
import { catalog } from '@partner-portal/service/modules/3-product/catalog/index.ts';
import { type EngineDispatch, executions } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { bindRoute, type BindDeps } from '@partner-portal/service/platform/http/bind-route.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { createRateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createServer } from '@partner-portal/service/platform/http/server.ts';
import { createSessions } from '@partner-portal/service/platform/http/session.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';

/** The service's HTTP server with its execution routes, in a separate process. Nothing is dispatched, as with `ROLE=http`. */

export type ServiceSetup = {
  address: DatabaseAddress;
  callbackSecret: string;
};
/** Responds with the number of SQL statements sent since the last request. */
export type ServiceAnswer = { statements: number; rssMb: number };

const BOUND = ['ingestEvent'] as const;

process.once('message', (setup: ServiceSetup) => void start(setup));
process.on('disconnect', () => process.exit(0));

async function start(setup: ServiceSetup): Promise<void> {
  // Logs as in production and discards the output: the cost of a line is part of the measurement.
  const log = createLog('info', { write: () => undefined });
  const db = createDatabase(createPool(setup.address, { name: 'bench', max: 8 }));
  const limits = createRateLimits(rateLimitWindows());
  const server = await createServer({
    log,
    baseUrl: 'http://127.0.0.1',
    corsOrigins: [],
    trustedProxies: [],
    limits,
    portalDir: '/nonexistent',
  });
  const sessions = await createSessions(server, { secret: new Secret('bench'.repeat(10)), expiresInSeconds: 3600, clock: systemClock });
  const { templateOf } = catalog({ db, platformProviders: [] });
  const notices = openNotices(setup.address, log);
  const runs = executions({
    db,
    engine: noEngine,
    notices,
    limits,
    clock: systemClock,
    log,
    templateOf,
    cursors: createCursors(new Secret('bench'.repeat(10))),
    callbackSecret: new Secret(setup.callbackSecret),
    publicBaseUrl: 'http://127.0.0.1',
    timeoutMinutesDefault: 30,
    waitMinutesMax: 60,
    isSoleProcess: false,
    failedRunsFree: 100,
    firstContactsPerHour: 10_000,
  });
  for (const name of BOUND) {
    const handler = runs.routes[name] as Parameters<typeof bindRoute>[4]; // typed by its own route in its module
    const closing = new AbortController().signal;
    const callbackProof: BindDeps['callbackProof'] = (id, token) => isCallbackToken(setup.callbackSecret, id, token);
    const onRefused: BindDeps['onRefused'] = (call) => recordRefusal(db, call);
    bindRoute(server, { sessions, limits, clock: systemClock, closing, onRefused, callbackProof }, name, routes[name], handler);
  }
  let statements = 0;
  db.onStatement(() => void (statements += 1));
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  process.on('message', () => {
    process.send?.({ statements, rssMb: Math.round(process.memoryUsage.rss() / 1_048_576) } satisfies ServiceAnswer);
    statements = 0;
  });
  process.send?.({ origin });
}

const noEngine: EngineDispatch = {
  dispatch: async () => 'unreachable',
  findRuns: async () => new Map(),
  callFlow: async () => ({ kind: 'unreachable' as const }),
  listStopped: async () => [],
  readStopped: async () => null,
};
