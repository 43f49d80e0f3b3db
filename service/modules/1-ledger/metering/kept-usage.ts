import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import { USAGE_ROWS_MAX, type UsageRow } from './store-usage.ts';

const KEPT_MS = 60_000;
/** A thousand rows are about 150 kB. */
const KEPT_MAX = 20;

export type KeptUsage = ReturnType<typeof createKeptUsage>;

/**
 * Usage of all agencies by client or agent groups the rows of every agent, which takes up to a second for a hundred thousand. A full answer is therefore kept for a
 * minute; a shorter one is read anew each time. Names that a purge removed are not kept longer: what has expired is dropped at the next read.
 */
export function createKeptUsage(clock: Clock, fromRows = USAGE_ROWS_MAX) {
  const kept = new LRUCache<string, UsageRow[]>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  return async (key: string, read: () => Promise<UsageRow[]>): Promise<UsageRow[]> => {
    kept.purgeStale();
    const found = kept.get(key);
    if (found !== undefined) return found;
    const rows = await read();
    if (rows.length >= fromRows) kept.set(key, rows);
    return rows;
  };
}
