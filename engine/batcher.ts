type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

export type Batcher<Item, Result> = {
  /** Resolves once the batch that carried the item is committed. */
  add: (item: Item) => Promise<Result>;
  /** Resolves when nothing is waiting or under way. */
  idle: () => Promise<void>;
};

/**
 * Group commit: items that arrive while a batch is being written are written together in the next one. One durable
 * commit then serves up to `itemsMax` callers, `weightMax` at most. A batch that fails as a whole is written item by item, so that one
 * poisoned item never fails its neighbours; `isFatal` errors (database away) fail all at once.
 */
export function createBatcher<Item, Result>(options: {
  itemsMax: number;
  inFlightMax: number;
  /** Weight of an item, for example bytes. A batch holds at most `weightMax`, or one heavier item alone. */
  weigh?: (item: Item) => number;
  weightMax?: number;
  /**
   * A batch waits up to `ms` for `min()` items. Every commit costs processor time: under load a few more items for each are worth a wait that
   * would only be lost alone.
   */
  gather?: { min: () => number; ms: number };
  write: (items: Item[]) => Promise<Result[]>;
  isFatal: (error: unknown) => boolean;
}): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  /** Runs while too few items wait for a batch; when it ends they are enough. */
  let gathering: NodeJS.Timeout | undefined;
  let isGathered = false;
  const idlers: (() => void)[] = [];

  const writeSingly = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    for (const one of batch) {
      try {
        settle([one], await options.write([one.item]));
      } catch (error) {
        one.reject(error);
      }
    }
  };

  const settle = (batch: Waiting<Item, Result>[], results: Result[]): void => {
    for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
  };

  const countNext = (): number => {
    const { weigh, weightMax = Number.POSITIVE_INFINITY } = options;
    if (weigh === undefined) return options.itemsMax;
    let weight = 0;
    const end = waiting.slice(0, options.itemsMax).findIndex(({ item }, index) => {
      weight += weigh(item);
      return index > 0 && weight > weightMax;
    });
    return end === -1 ? options.itemsMax : end;
  };

  const flush = async (): Promise<void> => {
    const batch = waiting.splice(0, countNext());
    isGathered = false;
    clearTimeout(gathering);
    gathering = undefined;
    inFlight += 1;
    try {
      settle(batch, await options.write(batch.map(({ item }) => item)));
    } catch (error) {
      if (batch.length === 1 || options.isFatal(error)) for (const one of batch) one.reject(error);
      else await writeSingly(batch);
    }
    inFlight -= 1;
    pump();
  };

  const mayStart = (): boolean => {
    const { gather } = options;
    if (gather === undefined || isGathered || waiting.length >= Math.min(gather.min(), options.itemsMax)) return true;
    gathering ??= setTimeout(() => {
      isGathered = true;
      pump();
    }, gather.ms);
    return false;
  };

  const pump = (): void => {
    while (waiting.length > 0 && inFlight < options.inFlightMax && mayStart()) void flush();
    if (waiting.length === 0 && inFlight === 0) for (const done of idlers.splice(0)) done();
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        // After the current turn, so that requests read from the same socket burst share a batch.
        setImmediate(() => {
          scheduled = false;
          pump();
        });
      }),
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        setImmediate(pump);
      }),
  };
}
