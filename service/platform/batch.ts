export type BatchOptions<Item, Result> = {
  /** Works on many items in one go and answers per item, in order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  itemsMax: number;
  /** How many batches may be under way at once; what arrives meanwhile becomes the next batch. */
  inFlightMax: number;
  /** How many items must wait before a batch leaves beside another one; a lone batch leaves with whatever there is. */
  besideMin?: number;
  /** Size of an item, so that a few huge ones do not make one monstrous batch. */
  weigh?: (item: Item) => number;
  weightMax?: number;
  /** Whether a failed batch may hold one item that spoils it for its neighbours; then each is tried alone. */
  isPoison: (error: unknown) => boolean;
};

/** Collects items and works on them together. */
export type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is waiting or under way. */
  settled(): Promise<void>;
};

type Waiting<Item, Result> = { item: Item; weight: number; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Group commit for statements that take arrays: what arrived while the last batch was being committed goes together.
 * A lone item waits for nothing. One bad item never fails its neighbours.
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
  const mayLeave = (): boolean => waiting.length >= (inFlight === 0 ? 1 : (options.besideMin ?? 1)) && inFlight < options.inFlightMax;
  const flush = (): void => {
    scheduled = false;
    while (mayLeave()) {
      inFlight += 1;
      void work(options, take()).finally(() => {
        inFlight -= 1;
        if (waiting.length > 0) flush();
        else if (inFlight === 0) {
          for (const tell of idle) tell();
          idle = [];
        }
      });
    }
  };
  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, weight: options.weigh?.(item) ?? 0, resolve, reject });
      // One turn of the loop later, so that what came in the same moment goes together.
      if (!scheduled && mayLeave()) {
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
      else one.reject(new Error('A batch answered fewer items than it was given.'));
    }
  } catch (error) {
    if (batch.length === 1 || !options.isPoison(error)) for (const one of batch) one.reject(error);
    else for (const one of batch) await work(options, [one]);
  }
}

/**
 * Whether a database error comes from the data of a statement rather than from the database: only then is it worth
 * trying its items one by one. Deadlocks count too, since the items alone will pass.
 */
export function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(22|23|54)/.test(code) || code === '40P01' || code === '40001';
}
