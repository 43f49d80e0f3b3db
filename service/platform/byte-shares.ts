import { hold } from './held.ts';

export type ByteShares = {
  /** Counts bytes as held by a key until they are disposed of; undefined when there is no room for them now. */
  hold(key: string, bytes: number): Disposable | undefined;
};

/**
 * Counts what a process holds in memory for its tenants: `total` bytes in all, `perKey` for one, so that a tenant with much waits or is sent away
 * while others pass. What a key holds first is only limited by the total.
 */
export function createByteShares(limits: { total: number; perKey: number }): ByteShares {
  const held = new Map<string, number>();
  let total = 0;
  return {
    hold(key, bytes) {
      const own = held.get(key) ?? 0;
      if (total + bytes > limits.total || (own > 0 && own + bytes > limits.perKey)) return undefined;
      held.set(key, own + bytes);
      total += bytes;
      const counted = hold('queued_bytes', bytes);
      let isHeld = true;
      return {
        [Symbol.dispose]() {
          if (!isHeld) return;
          isHeld = false;
          counted[Symbol.dispose]();
          total -= bytes;
          const left = (held.get(key) ?? 0) - bytes;
          if (left > 0) held.set(key, left);
          else held.delete(key);
        },
      };
    },
  };
}
