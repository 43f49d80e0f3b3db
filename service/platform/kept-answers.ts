import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

const KEPT_MS = 60_000;
const BYTES_MAX = 4 * 1024 * 1024;
/** Larger answers are read each time. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Returns the kept answer to a question, or reads it. The key names all that the answer depends on: the tenant first. */
export type KeepAnswer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Adding up the rows of thousands of clients or agents takes longer than a page may wait. An answer that did so (`isLarge`) is kept for a minute in this process; any
 * other is read each time (ADR 0053). Bounded by the length of its JSON. What has expired is not returned, and dropped at the next read.
 */
export function createKeptAnswers<T>(clock: Clock, isLarge: (answer: T) => boolean): KeepAnswer<T> {
  const kept = new LRUCache<string, { answer: T }>({
    maxSize: BYTES_MAX,
    maxEntrySize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ answer }, key) => key.length + JSON.stringify(answer).length,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  return async (key, read) => {
    kept.purgeStale();
    const found = kept.get(key);
    if (found !== undefined) return found.answer;
    const answer = await read();
    if (isLarge(answer)) kept.set(key, { answer });
    return answer;
  };
}
