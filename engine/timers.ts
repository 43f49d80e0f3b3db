/** Timers that can be cleared together. */
export type Timers = {
  later: (ms: number, act: () => void) => void;
  /** Resolves after `ms`; rejects with the reason of `signal` when that aborts first. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Cancels all scheduled work. */
  clear: () => void;
};

export function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => void): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
    return timer;
  };
  return {
    later,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const timer = later(ms, resolve);
        signal.addEventListener(
          'abort',
          () => {
            clearTimeout(timer);
            timers.delete(timer);
            reject(signal.reason);
          },
          { once: true },
        );
      }),
    clear: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
