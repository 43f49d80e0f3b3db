/**
 * One call at a time per key, in order of asking. The engine serialises neither the edits of a flow (five at once, two survived)
 * nor the upsert of a connection (four at once left two rows), so whoever writes must (engine API, §0.7 and §0.8).
 */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      // The last one out takes the key along, so the map holds only what is under way.
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
