import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { insideTransaction } from './db/tx.ts';

const KEPT_MS = 60_000;
const BYTES_MAX = 4 * 1024 * 1024;
/** Larger answers are read each time. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Questions of which it is known that their answer was kept. */
const KNOWN_MAX = 1_000;

/** Returns the kept answer to a question, or reads it. The key names all that the answer depends on: the tenant first. */
export type KeepAnswer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Adding up thousands of rows takes longer than a page may wait. An answer that did so (`isLarge`) is kept for a minute in this process; any
 * other is read each time (ADR 0053). Bounded by the length of its JSON. What has expired is not returned, and dropped at the next read. Once an answer was kept, those
 * who ask while it is read anew wait for that read, and read themselves if it fails or is no longer large. None waits inside a transaction.
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
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  const underWay = new Map<string, Promise<unknown>>();

  const readNow: KeepAnswer<T> = async (key, read) => {
    const reading = read();
    if (known.has(key)) underWay.set(key, reading);
    try {
      const answer = await reading;
      if (isLarge(answer)) kept.set(key, { answer });
      if (kept.has(key)) known.set(key, true);
      else known.delete(key);
      return answer;
    } finally {
      if (underWay.get(key) === reading) underWay.delete(key);
    }
  };
  return async (key, read) => {
    kept.purgeStale();
    const found = kept.get(key);
    if (found !== undefined) return found.answer;
    const other = underWay.get(key);
    // Inside a transaction nothing waits for another one: it would hold its connection, and its own time runs.
    if (other !== undefined && !insideTransaction()) await other.catch(() => undefined);
    return kept.get(key)?.answer ?? readNow(key, read);
  };
}
