/** First in, first out, without the cost of shifting an array. */
class Line<Item> {
  private items: (Item | undefined)[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  peek(): Item | undefined {
    return this.items[this.head];
  }

  /** Puts items back to the front, in their order. */
  unshift(items: readonly Item[]): void {
    if (items.length === 0) return;
    if (items.length <= this.head) {
      this.head -= items.length;
      for (const [index, item] of items.entries()) this.items[this.head + index] = item;
    } else {
      this.items = [...items, ...this.items.slice(this.head)];
      this.head = 0;
    }
  }

  shift(): Item | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    // Drops the reference to a taken item.
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

type Entry<Item> = { item: Item; weight: number };
type Lane<Item> = {
  key: string;
  line: Line<Entry<Item>>;
  active: number;
  weight: number;
  /** Times that others started while its first item was too heavy for what was free. */
  passed: number;
  inRing: boolean;
};

export type Scheduler<Item> = {
  /** `weight` is what the item holds from its start to its release, for example bytes of memory; more than a key may hold counts as that. */
  add: (key: string, item: Item, weight?: number) => void;
  /** The next item that may start, counted as active under its key until `release`. */
  take: () => Item | undefined;
  /** Raises the weight of an active item, when there is room for it. */
  grow: (key: string, weight: number) => boolean;
  /** `weight` is that of the item, with what it grew. */
  release: (key: string, weight?: number) => void;
  waiting: () => number;
  active: () => number;
  /** Forgets what waits; what is active stays counted. */
  clear: () => void;
};

export type Places = {
  /** Items active at the same time: in all, and of one key. */
  total: number;
  perKey: number;
  /** Weight held at the same time: in all, and of one key. Unlimited when left out. */
  weight?: { total: number; perKey: number };
};

/** How often lighter items of others pass one that is too heavy for what is free, before they wait for it. */
const PASSES_MAX = 100;
/** Keys looked at for one that fits. */
const LOOKED_AT_MAX = 64;

/**
 * Fair queue over keys: each round gives every key with waiting work one slot, so one partner's burst delays another
 * by at most one run. Slots and weight are limited in all and for one key, so that slow or heavy runs of one key never
 * take all of them: a heavy item waits, lighter ones of other keys pass. Pure bookkeeping: no clock, no I/O.
 */
export function createScheduler<Item>(places: Places): Scheduler<Item> {
  const limit = places.weight ?? { total: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY };
  const lanes = new Map<string, Lane<Item>>();
  let ring = new Line<Lane<Item>>();
  let waitingCount = 0;
  let activeCount = 0;
  let held = 0;

  const weightOf = (weight: number): number => Math.min(weight, limit.perKey);

  /** Whether the lane may start its first item as far as its own share goes; a single item always may. */
  const isWithinShare = (lane: Lane<Item>): boolean => {
    const first = lane.line.peek();
    if (first === undefined || lane.active >= places.perKey) return false;
    return lane.weight === 0 || lane.weight + first.weight <= limit.perKey;
  };

  const enter = (lane: Lane<Item>): void => {
    if (lane.inRing || !isWithinShare(lane)) return;
    lane.inRing = true;
    ring.push(lane);
  };

  const laneOf = (key: string): Lane<Item> => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane<Item> = { key, line: new Line(), active: 0, weight: 0, passed: 0, inRing: false };
    lanes.set(key, lane);
    return lane;
  };

  /** Takes the first lane off the ring whose first item fits; the others keep their order. */
  const nextLane = (): Lane<Item> | undefined => {
    const skipped: Lane<Item>[] = [];
    let found: Lane<Item> | undefined;
    while (found === undefined && skipped.length < LOOKED_AT_MAX) {
      const lane = ring.shift();
      if (lane === undefined) break;
      const first = lane.line.peek();
      lane.inRing = false;
      // A lane whose share was taken up since, or which was cleared, comes back with its next release.
      if (first === undefined || !isWithinShare(lane)) continue;
      if (held + first.weight <= limit.total) found = lane;
      else {
        lane.inRing = true;
        skipped.push(lane);
        if (lane.passed >= PASSES_MAX) break;
      }
    }
    if (found !== undefined) for (const lane of skipped) lane.passed += 1;
    ring.unshift(skipped);
    return found;
  };

  return {
    add: (key, item, weight = 0) => {
      const lane = laneOf(key);
      lane.line.push({ item, weight: weightOf(weight) });
      waitingCount += 1;
      enter(lane);
    },
    take: () => {
      if (activeCount >= places.total) return undefined;
      const lane = nextLane();
      const entry = lane?.line.shift();
      if (lane === undefined || entry === undefined) return undefined;
      lane.active += 1;
      lane.weight += entry.weight;
      lane.passed = 0;
      held += entry.weight;
      activeCount += 1;
      waitingCount -= 1;
      enter(lane);
      return entry.item;
    },
    grow: (key, weight) => {
      const lane = laneOf(key);
      if (lane.weight + weight > limit.perKey || held + weight > limit.total) return false;
      lane.weight += weight;
      held += weight;
      return true;
    },
    release: (key, weight = 0) => {
      const lane = laneOf(key);
      lane.active -= 1;
      activeCount -= 1;
      lane.weight -= weightOf(weight);
      held -= weightOf(weight);
      if (lane.active === 0 && lane.line.size === 0) lanes.delete(key);
      else enter(lane);
    },
    waiting: () => waitingCount,
    active: () => activeCount,
    clear: () => {
      for (const lane of lanes.values()) {
        lane.line = new Line();
        lane.inRing = false;
        lane.passed = 0;
        if (lane.active === 0) lanes.delete(lane.key);
      }
      ring = new Line();
      waitingCount = 0;
    },
  };
}
