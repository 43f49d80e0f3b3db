import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type MeteringDeps = { db: Database; cursors: Cursors; clock: Clock };
