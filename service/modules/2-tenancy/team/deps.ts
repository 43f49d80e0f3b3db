import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type TeamDeps = { db: Database; cursors: Cursors };
