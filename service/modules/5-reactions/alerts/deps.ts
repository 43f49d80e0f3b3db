import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';

export type AlertsDeps = { db: Database; cursors: Cursors; log: Log };
