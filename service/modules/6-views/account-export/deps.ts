import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { Notify } from '#modules/5-reactions/notifications/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';

export type AccountExportDeps = {
  db: Database;
  files: FileStore;
  clock: Clock;
  log: Log;
  cursors: Cursors;
  notices: Notices;
  notify: Notify;
};
