import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import type { SecretSeal } from './endpoints/secret-seal.ts';

/** Dependencies of the routes; the sender has its own. */
export type ManageDeps = {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  notices: Notices;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
  seal: SecretSeal;
  outbound: Pick<SafeFetch, 'check'>;
};
