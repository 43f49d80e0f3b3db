import {
  afterRound,
  type Ended,
  openWindow,
  placeSeconds,
  roundOf,
  WINDOW_LIMITS,
  type WindowLimits,
} from '@partner-portal/core/execution/window.ts';
import type { Clock } from '#platform/clock.ts';

/** The engine's capacity, learned from the runs that end. */
export type Capacity = {
  /** Runs that may be under way, and for how long one holds its place. */
  now(): { windowRuns: number; placeSeconds: number };
  /** Notes that runs wait for a place, or that none does. */
  note(isHeld: boolean): void;
  /** Whether runs waited for a place when it was last noted. */
  isHeld(): boolean;
  /** Counts runs that ended, of any process. */
  ended(ended: readonly Ended[]): void;
};

/** Each process that dispatches learns for itself: all see the same runs end. */
export function createCapacity(clock: Clock, limits: WindowLimits = WINDOW_LIMITS): Capacity {
  let window = openWindow(clock.now().getTime(), limits);
  const round = new Map<string, Ended>();
  let runs = 0;
  let isHeldNow = false;
  let wasHeld = false;
  return {
    now: () => ({ windowRuns: window.size, placeSeconds: placeSeconds(window) }),
    note(isHeld) {
      isHeldNow = isHeld;
      wasHeld ||= isHeld;
    },
    isHeld: () => isHeldNow,
    ended(ended) {
      const waitMs = window.countsFrom - clock.now().getTime();
      // It is never longer, unless the clock was set back.
      if (waitMs > 0 && waitMs <= window.meanMs) return;
      for (const one of ended) {
        const known = round.get(one.kind);
        round.set(one.kind, { kind: one.kind, runs: (known?.runs ?? 0) + one.runs, ms: (known?.ms ?? 0) + one.ms });
        runs += one.runs;
      }
      if (runs < roundOf(window)) return;
      window = afterRound(window, [...round.values()], { isHeld: wasHeld, now: clock.now().getTime(), limits });
      round.clear();
      runs = 0;
      wasHeld = isHeldNow;
    },
  };
}
