import { events, type Events } from '@house/service/modules/events/index.ts';
import { IN_FLIGHT_MAX, type Webhooks, webhooks } from '@house/service/modules/webhooks/index.ts';
import { systemClock } from '@house/service/platform/clock.ts';
import type { DatabaseAddress } from '@house/service/platform/db/host.ts';
import { createPool } from '@house/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@house/service/platform/db/tx.ts';
import { createCursors } from '@house/service/platform/http/cursor.ts';
import type { Log } from '@house/service/platform/log.ts';
import { openNotices } from '@house/service/platform/notify.ts';
import { createSafeFetch } from '@house/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@house/service/platform/secret.ts';
import { OLD_RING } from './rings.ts';

/** Reactions and sender on a database, as the service has them, and nothing else: what faults kill and benches measure. */
export type EngineRoom = { db: Database; hooks: Webhooks; happened: Events; start(): void; stop(): Promise<void> };

export function openEngineRoom(address: DatabaseAddress, log: Log): EngineRoom {
  const pool = createPool(address, { name: 'engine room', max: 20, onIdleError: () => undefined });
  const db = createDatabase(pool);
  const notices = openNotices(address, log);
  const fetch = createSafeFetch({ allowedHosts: ['127.0.0.1'], connectionsPerHost: IN_FLIGHT_MAX });
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const hooks = webhooks({ db, notices, log, clock: systemClock, ring: OLD_RING, fetch, cursors, baseUrl: 'http://portal.test' });
  const happened = events({ db, notices, log, reactions: [hooks.fanOut] });
  return {
    db,
    hooks,
    happened,
    start() {
      hooks.start();
      happened.start();
    },
    async stop() {
      await happened.stop();
      await hooks.stop();
      await notices.close();
      await fetch.close();
      await pool.end();
    },
  };
}
