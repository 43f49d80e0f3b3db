/** Does `work` when it is its turn; whatever becomes of it, the turn ends with it. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

type Waiting = { key: string; start: () => void };

/**
 * At most `total` at once, and `perKey` of one key, so that one who takes long holds up those of his own key first. The rest wait in
 * their order. Without bounds: works of one key one after the other, of other keys beside them.
 */
export function createTurns({ total = Number.POSITIVE_INFINITY, perKey = 1 }: { total?: number; perKey?: number } = {}): Turns {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let count = 0;
  const fits = (key: string): boolean => count < total && (running.get(key) ?? 0) < perKey;
  const enter = (key: string): void => {
    count += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };
  const leave = (key: string): void => {
    count -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    const at = waiting.findIndex((one) => fits(one.key));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (!next) return;
    // Taken here, not when it wakes: whoever comes in between must not find the place free.
    enter(next.key);
    next.start();
  };
  return async (key, work) => {
    if (fits(key)) enter(key);
    else await new Promise<void>((start) => waiting.push({ key, start }));
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
