import { hold } from './held.ts';

/** Who asks for a turn, and what it holds until it ends. */
export type TurnRequest = {
  /** Shares are kept by key: the tenant for whom the work is done. */
  key: string;
  /** What the work waits for, such as a host: a slow one holds up the rest of its own key only in part. */
  part?: string;
  /** Memory that the request holds, waiting or running. */
  bytes?: number;
};

/** Runs `work` once it is its turn. Throws `TurnRefusal` when too much is waiting already, or after `waitMs` without a turn. */
export type FairTurns = <T>(request: TurnRequest, work: () => Promise<T>) => Promise<T>;

export type FairTurnsOptions = {
  /** Most at once. A key alone holds half of them, rounded up. */
  slots: number;
  /** Most at once of one part of a key. */
  perPart?: number;
  /** Most that wait. */
  waitingMax: number;
  /** Most bytes of all that wait or run. */
  bytesMax?: number;
  waitMs: number;
};

export class TurnRefusal extends Error {
  readonly reason: 'full' | 'waited';
  constructor(reason: TurnRefusal['reason']) {
    super(reason === 'full' ? 'Too much is waiting.' : 'It was not its turn in time.');
    this.name = 'TurnRefusal';
    this.reason = reason;
  }
}

type Waiting = { part: string; start: () => void };
type Lane = { key: string; running: number; bytes: number; parts: Map<string, number>; waiting: Waiting[] };

/**
 * Creates turns that are fair between keys. A key gets a slot while it holds fewer than are free, so that one key alone holds half, two hold a
 * third each, and a slot is left for the next one. Places in the queue and bytes are shared by the same rule. Keys that wait are served in
 * turn, the requests of a key in order.
 */
export function createFairTurns(options: FairTurnsOptions): FairTurns {
  const { slots, perPart = slots, waitingMax, bytesMax = Number.POSITIVE_INFINITY, waitMs } = options;
  /** Keys with work, the one served longest ago first. */
  const lanes = new Map<string, Lane>();
  const total = { running: 0, waiting: 0, bytes: 0 };

  const laneOf = (key: string): Lane => lanes.get(key) ?? { key, running: 0, bytes: 0, parts: new Map(), waiting: [] };
  const hasSlot = (lane: Lane): boolean => lane.running < slots - total.running;
  const hasPart = (lane: Lane, part: string): boolean => (lane.parts.get(part) ?? 0) < perPart;

  const acquire = (lane: Lane, part: string): void => {
    lane.running += 1;
    total.running += 1;
    lane.parts.set(part, (lane.parts.get(part) ?? 0) + 1);
    // Served last: behind all others.
    lanes.delete(lane.key);
    lanes.set(lane.key, lane);
  };
  const takeNext = (): [Lane, Waiting] | undefined => {
    for (const lane of lanes.values()) {
      const at = hasSlot(lane) ? lane.waiting.findIndex((one) => hasPart(lane, one.part)) : -1;
      const [next] = at < 0 ? [] : lane.waiting.splice(at, 1);
      if (next) return [lane, next];
    }
    return undefined;
  };
  const serve = (): void => {
    for (let next = takeNext(); next; next = takeNext()) {
      const [lane, { part, start }] = next;
      total.waiting -= 1;
      // Acquired here, not when it resumes: a request that arrives in between must not take the slot.
      acquire(lane, part);
      start();
    }
  };
  const addBytes = (lane: Lane, bytes: number): void => {
    lane.bytes += bytes;
    total.bytes += bytes;
  };
  const forgetIdle = (lane: Lane): void => {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(lane.key);
  };

  const waitForTurn = async (lane: Lane, part: string): Promise<void> => {
    if (lane.waiting.length >= waitingMax - total.waiting) throw new TurnRefusal('full');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      part,
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
      total.waiting -= 1;
      reject(new TurnRefusal('waited'));
    }, waitMs);
    lane.waiting.push(waiting);
    total.waiting += 1;
    lanes.set(lane.key, lane);
    using _place = hold('turns_waiting');
    await promise;
  };

  return async ({ key, part = '', bytes = 0 }, work) => {
    const lane = laneOf(key);
    if (lane.bytes + bytes > bytesMax - total.bytes) throw new TurnRefusal('full');
    addBytes(lane, bytes);
    using _bytes = hold('turn_bytes', bytes);
    try {
      // None that waits could start, else it would have: a request that can start overtakes no one.
      if (hasSlot(lane) && hasPart(lane, part)) acquire(lane, part);
      else await waitForTurn(lane, part);
      using _turn = hold('turns');
      try {
        return await work();
      } finally {
        lane.running -= 1;
        total.running -= 1;
        const left = (lane.parts.get(part) ?? 1) - 1;
        if (left > 0) lane.parts.set(part, left);
        else lane.parts.delete(part);
        serve();
      }
    } finally {
      addBytes(lane, -bytes);
      forgetIdle(lane);
    }
  };
}
