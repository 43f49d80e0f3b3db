/** First in, first out, without the cost of shifting an array. */
class Line<Item> {
  private items: Item[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  shift(): Item | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

type Lane<Item> = { key: string; line: Line<Item>; active: number; inRing: boolean };

export type Scheduler<Item> = {
  add: (key: string, item: Item) => void;
  /** The next item that may start, counted as active under its key until `release`. */
  take: () => Item | undefined;
  release: (key: string) => void;
  waiting: () => number;
  active: () => number;
  /** Forgets what waits; what is active stays counted. */
  clear: () => void;
};

/**
 * Fair queue over keys: each round gives every key with waiting work one slot, so one partner's burst delays another
 * by at most one run. At most `concurrency` slots in all and `perKeyMax` for one key, so that slow runs of
 * one key never take all slots. Pure bookkeeping: no clock, no I/O.
 */
export function createScheduler<Item>(concurrency: number, perKeyMax: number): Scheduler<Item> {
  const lanes = new Map<string, Lane<Item>>();
  let ring = new Line<Lane<Item>>();
  let waitingCount = 0;
  let activeCount = 0;

  const enter = (lane: Lane<Item>): void => {
    if (lane.inRing || lane.line.size === 0 || lane.active >= perKeyMax) return;
    lane.inRing = true;
    ring.push(lane);
  };

  const laneOf = (key: string): Lane<Item> => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane<Item> = { key, line: new Line(), active: 0, inRing: false };
    lanes.set(key, lane);
    return lane;
  };

  return {
    add: (key, item) => {
      const lane = laneOf(key);
      lane.line.push(item);
      waitingCount += 1;
      enter(lane);
    },
    take: () => {
      if (activeCount >= concurrency) return undefined;
      const lane = ring.shift();
      if (lane === undefined) return undefined;
      lane.inRing = false;
      const item = lane.line.shift();
      if (item === undefined) return undefined;
      lane.active += 1;
      activeCount += 1;
      waitingCount -= 1;
      enter(lane);
      return item;
    },
    release: (key) => {
      const lane = laneOf(key);
      lane.active -= 1;
      activeCount -= 1;
      if (lane.active === 0 && lane.line.size === 0) lanes.delete(key);
      else enter(lane);
    },
    waiting: () => waitingCount,
    active: () => activeCount,
    clear: () => {
      for (const lane of lanes.values()) {
        lane.line = new Line();
        lane.inRing = false;
        if (lane.active === 0) lanes.delete(lane.key);
      }
      ring = new Line();
      waitingCount = 0;
    },
  };
}
