export type BatchOptions<Item, Result> = {
  /** Processes many items at once and returns a result per item, in order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  itemsMax: number;
  /** Batches in progress at once; items that arrive in the meantime form the next batch. */
  inFlightMax: number;
  /** Items that must wait before a batch starts beside another one; the first batch starts with any number. */
  besideMin?: number;
  /** Weight of an item, so that a few huge ones do not form one batch. */
  weigh?: (item: Item) => number;
  weightMax?: number;
  /** Whether one item may have caused the failure of its batch; then each is retried alone. */
  isPoison: (error: unknown) => boolean;
};

/** Collects items and processes them together. */
export type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Resolves when no item is waiting or in progress. */
  settled(): Promise<void>;
};

type Waiting<Item, Result> = { item: Item; weight: number; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Group commit for statements that take arrays: items that arrive while a batch is committed form the next one. A lone item does not wait, and
 * one bad item never fails the others.
 */
export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  const weightMax = options.weightMax ?? Number.POSITIVE_INFINITY;
  let inFlight = 0;
  let scheduled = false;
  let idle: (() => void)[] = [];

  const take = (): Waiting<Item, Result>[] => {
    let count = 0;
    let weight = 0;
    for (const one of waiting) {
      weight += one.weight;
      if (count === options.itemsMax || (count > 0 && weight > weightMax)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  };
  const mayStart = (): boolean => waiting.length >= (inFlight === 0 ? 1 : (options.besideMin ?? 1)) && inFlight < options.inFlightMax;
  const flush = (): void => {
    scheduled = false;
    while (mayStart()) {
      inFlight += 1;
      void work(options, take()).finally(() => {
        inFlight -= 1;
        if (waiting.length > 0) flush();
        else if (inFlight === 0) {
          for (const resolve of idle) resolve();
          idle = [];
        }
      });
    }
  };
  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, weight: options.weigh?.(item) ?? 0, resolve, reject });
      // Deferred, so that items of the same tick share a batch.
      if (!scheduled && mayStart()) {
        scheduled = true;
        setImmediate(flush);
      }
      return promise;
    },
    settled: () => (waiting.length === 0 && inFlight === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}

async function work<Item, Result>(options: BatchOptions<Item, Result>, batch: Waiting<Item, Result>[]): Promise<void> {
  try {
    const results = await options.run(batch.map((one) => one.item));
    for (const [index, one] of batch.entries()) {
      if (index in results) one.resolve(results[index] as Result); // present, as checked
      else one.reject(new Error('A batch returned fewer results than items.'));
    }
  } catch (error) {
    if (batch.length === 1 || !options.isPoison(error)) for (const one of batch) one.reject(error);
    else for (const one of batch) await work(options, [one]);
  }
}

/**
 * Returns whether a database error was caused by a statement's data: only then are its items worth retrying one by one. Deadlocks count,
 * since single items will pass.
 */
export function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(22|23|54)/.test(code) || code === '40P01' || code === '40001';
}
