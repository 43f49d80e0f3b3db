import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { Notify } from '#modules/5-reactions/notifications/index.ts';

export type AlertsDeps = { db: Database; cursors: Cursors; log: Log; notify: Notify };
