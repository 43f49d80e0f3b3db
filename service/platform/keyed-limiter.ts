import { hold } from './held.ts';

/** Runs `work` once a slot of `key` is free; always releases the slot. */
export type KeyedLimiter = <T>(key: string, work: () => Promise<T>) => Promise<T>;

type Waiting = { key: string; start: () => void };

/**
 * Creates a keyed concurrency limiter: at most `total` at once and `perKey` of one key, so slow work delays its own key first. The rest wait
 * in order. Without bounds: one at a time per key, keys independent of each other.
 */
export function createKeyedLimiter({
  total = Number.POSITIVE_INFINITY,
  perKey = 1,
}: { total?: number; perKey?: number } = {}): KeyedLimiter {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let count = 0;
  const hasSlot = (key: string): boolean => count < total && (running.get(key) ?? 0) < perKey;
  const acquire = (key: string): void => {
    count += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };
  const release = (key: string): void => {
    count -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    const at = waiting.findIndex((one) => hasSlot(one.key));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (!next) return;
    // Acquired here, not when it resumes: a caller that arrives in between must not take the slot.
    acquire(next.key);
    next.start();
  };
  const waitForSlot = async (key: string): Promise<void> => {
    using _place = hold('slots_waiting');
    await new Promise<void>((start) => waiting.push({ key, start }));
  };
  return async (key, work) => {
    if (hasSlot(key)) acquire(key);
    else await waitForSlot(key);
    using _slot = hold('slots');
    try {
      return await work();
    } finally {
      release(key);
    }
  };
}
