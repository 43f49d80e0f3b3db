import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Returns the document of a state: the kept one, the one that is being made, or a new one. `state` names everything that is drawn. */
export type KeptDocuments = (state: readonly (string | Uint8Array)[], make: () => Promise<Uint8Array>) => Promise<Uint8Array>;

/**
 * Keeps documents by what is drawn in them, so that each is made once while nothing in it changes. Bounded in bytes; the least recently used document goes
 * first. A document that could not be made is not kept, and those who waited for it get its error.
 */
export function createKeptDocuments({ bytesMax, keptMs }: { bytesMax: number; keptMs: number }): KeptDocuments {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: bytesMax,
    maxEntrySize: bytesMax / 4,
    sizeCalculation: (content) => content.byteLength + 1,
    ttl: keptMs,
  });
  const underWay = new Map<string, Promise<Uint8Array>>();
  return async (state, make) => {
    const key = keyOf(state);
    const known = kept.get(key) ?? underWay.get(key);
    if (known) return known;
    const making = make();
    underWay.set(key, making);
    try {
      const content = await making;
      kept.set(key, content);
      return content;
    } finally {
      underWay.delete(key);
    }
  };
}

/** Each part with its length, so that no two states have the same digest. */
function keyOf(state: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of state) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}
