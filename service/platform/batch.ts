import { createRest, type RestOptions } from './rest.ts';

export type BatchOptions<Item, Result> = {
  /** Processes many items at once and returns a result per item, in order. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  itemsMax: number;
  /** Batches in progress at once; items that arrive in the meantime form the next batch. */
  inFlightMax: number;
  /** Items that must wait before a batch starts in parallel with another one; the first batch starts with any number. */
  minItemsForSecondBatch?: number;
  /** Rest after each batch; it ends early when enough items for a second batch, or for a full one, wait. None when left out. */
  rest?: RestOptions;
  /** Weight of an item, so that a few huge ones do not form one batch. */
  weigh?: (item: Item) => number;
  weightMax?: number;
  /** Key of an item: batches take items by turns between keys, so that many items of one key delay those of others by their share only. */
  keyOf?: (item: Item) => string;
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
  /** Items by key; the key that is first has the next turn. */
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  let waiting = 0;
  const weightMax = options.weightMax ?? Number.POSITIVE_INFINITY;
  let inFlight = 0;
  let scheduled = false;
  const rest = options.rest && createRest(options.rest);
  let idle: (() => void)[] = [];

  const take = (): Waiting<Item, Result>[] => {
    const batch: Waiting<Item, Result>[] = [];
    let weight = 0;
    for (const [key, lane] of lanes) {
      const [next] = lane;
      weight += next?.weight ?? 0;
      if (!next || batch.length === options.itemsMax || (batch.length > 0 && weight > weightMax)) break;
      batch.push(next);
      lane.shift();
      lanes.delete(key);
      // Behind the others: this loop comes to it again.
      if (lane.length > 0) lanes.set(key, lane);
    }
    waiting -= batch.length;
    return batch;
  };
  const mayStart = (): boolean => {
    if (inFlight >= options.inFlightMax) return false;
    if (rest?.isResting()) return waiting >= (options.minItemsForSecondBatch ?? options.itemsMax);
    return waiting >= (inFlight === 0 ? 1 : (options.minItemsForSecondBatch ?? 1));
  };
  const flush = (): void => {
    scheduled = false;
    while (mayStart()) {
      inFlight += 1;
      const beganAt = performance.now();
      void work(options, take()).finally(() => {
        inFlight -= 1;
        rest?.begin(performance.now() - beganAt, flush);
        if (waiting > 0) flush();
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
      const key = options.keyOf?.(item) ?? '';
      const lane = lanes.get(key) ?? [];
      lane.push({ item, weight: options.weigh?.(item) ?? 0, resolve, reject });
      lanes.set(key, lane);
      waiting += 1;
      // Deferred, so that items of the same tick share a batch.
      if (!scheduled && mayStart()) {
        scheduled = true;
        setImmediate(flush);
      }
      return promise;
    },
    settled: () => (waiting === 0 && inFlight === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
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
