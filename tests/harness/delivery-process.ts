import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { events, type Events } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { IN_FLIGHT_MAX, type Webhooks, webhooks } from '@partner-portal/service/modules/5-reactions/webhooks/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import type { Log } from '@partner-portal/service/platform/log.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { OLD_RING } from './key-rings.ts';

/** Reactions and sender on a database, as the service has them, and nothing else: what tests kill and a bench measures. */
export type DeliveryProcess = { db: Database; hooks: Webhooks; events: Events; start(): void; stop(): Promise<void> };

export function openDeliveryProcess(address: DatabaseAddress, log: Log): DeliveryProcess {
  const pool = createPool(address, { name: 'engine room', max: 20, onIdleError: () => undefined });
  const db = createDatabase(pool);
  const notices = openNotices(address, log);
  const fetch = createSafeFetch({ allowedHosts: ['127.0.0.1'], connectionsPerHost: IN_FLIGHT_MAX });
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const hooks = webhooks({
    db,
    notices,
    log,
    clock: systemClock,
    dataKeys: createDataKeys(OLD_RING),
    fetch,
    cursors,
    baseUrl: 'http://portal.test',
  });
  const eventModule = events({ db, notices, log, reactions: [hooks.fanOut] });
  return {
    db,
    hooks,
    events: eventModule,
    start() {
      hooks.start();
      eventModule.start();
    },
    async stop() {
      await eventModule.stop();
      await hooks.stop();
      await notices.close();
      await fetch.close();
      await pool.end();
    },
  };
}
