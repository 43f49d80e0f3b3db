import type { Clock } from '#platform/clock.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';

/** The account that is removed: an agency, or one of its clients. */
export type Account = { partnerId: string; clientId: string | null };

export type PurgeDeps = {
  db: Database;
  clock: Clock;
  log: Log;
  notices: Pick<Notices, 'subscribe'>;
  /** How long a purge waits for older transactions before it is continued later (ms). */
  barrierWaitMs?: number | undefined;
  removeFiles: (tx: SystemTx, fileIds: readonly string[]) => Promise<void>;
  /**
   * Removes everything of an account from the engine and returns how much; `isBusy` while a setup of the account runs. Calls `guard` before each
   * change. Opens its own transactions and throws what the engine client throws.
   */
  tearDown: (account: Account, guard: (tx: SystemTx) => Promise<void>) => Promise<{ removed: number; isBusy: boolean }>;
};
