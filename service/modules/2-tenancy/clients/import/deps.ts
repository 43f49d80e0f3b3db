import type { Clock } from '#platform/clock.ts';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type ImportDeps = { db: Database; cursors: Cursors; compute: ComputePool; clock: Clock };
