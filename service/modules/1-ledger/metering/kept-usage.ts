import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import { USAGE_ROWS_MAX, type UsageRow } from './store-usage.ts';

const KEPT_MS = 60_000;
/** A thousand rows are about 150 kB. */
const KEPT_MAX = 20;

export type KeptUsage = ReturnType<typeof createKeptUsage>;

/**
 * Usage of all agencies by client or agent adds up a row of each, a hundred thousand where there are as many: an answer that is full is kept for a minute.
 * Where fewer are used, each read adds up anew.
 */
export function createKeptUsage(clock: Clock, fromRows = USAGE_ROWS_MAX) {
  const kept = new LRUCache<string, UsageRow[]>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  return async (key: string, read: () => Promise<UsageRow[]>): Promise<UsageRow[]> => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    const rows = await read();
    if (rows.length >= fromRows) kept.set(key, rows);
    return rows;
  };
}
