import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

/** `deletionDays`: how long an account can be reactivated after its deletion was approved. `baseUrl` has no trailing slash. */
export type AccountsDeps = { db: Database; cursors: Cursors; baseUrl: string; deletionDays: number };
