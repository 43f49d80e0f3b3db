import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { createEngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { type DirectRequest, type DirectRun, executions } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { createRateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { ADMIN } from '../engine/harness.ts';

export type DirectAddresses = { database: DatabaseAddress; engineUrl: string };

/** What runs agents directly on a database and an engine, as the service has it, and nothing else: what faults kill, and what goes on after them. */
export type DirectProcess = { run(request: DirectRequest): Promise<DirectRun>; stop(): Promise<void> };

export function openDirectProcess({ database, engineUrl }: DirectAddresses): DirectProcess {
  const log = createLog('silent');
  const pool = createPool(database, { name: 'direct run', max: 4 });
  const notices = openNotices(database, log);
  const internal = createInternalFetch(() => true);
  const runs = executions({
    db: createDatabase(pool),
    engine: createEngineClient({
      baseUrl: () => engineUrl,
      account: { email: ADMIN.email, password: new Secret(ADMIN.password) },
      send: createEngineSend(internal),
      clock: systemClock,
    }),
    notices,
    limits: createRateLimits(rateLimitWindows()),
    cursors: createCursors(new Secret('c'.repeat(48))),
    clock: systemClock,
    log,
    templateOf: (name) => loadCatalog().find((one) => one.name === name),
    callbackSecret: new Secret('callback-secret-of-the-tests'),
    publicBaseUrl: 'http://portal.test',
    timeoutMinutesDefault: 30,
    waitMinutesMax: 60,
    isSoleProcess: false,
    failedRunsFree: 100,
    firstContactsPerHour: 10_000,
    // No test here is about the limit.
    directWaitMs: 600_000,
  });
  return {
    run: (request) => runs.runDirectly(request),
    async stop() {
      await runs.stop();
      await notices.close();
      await internal.close();
      await pool.end();
    },
  };
}
