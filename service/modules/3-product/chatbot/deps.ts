import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type ChatbotDeps = {
  db: Database;
  clock: Clock;
  cursors: Cursors;
  files: FileStore;
  compute: ComputePool;
  /** Public address of the portal, without a trailing slash. */
  publicBaseUrl: string;
};
