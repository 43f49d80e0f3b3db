import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long work waited for the event loop of this thread, and for how long a piece of work held it, since the last time each was read. */
export type LoopWatch = {
  /** Milliseconds by quantile of all turns (0.5, 0.99, 1), the watch's own resolution left out. Includes what other processes took. */
  delays(): { quantile: number; ms: number }[];
  /** The most processor time (ms) spent between two turns: unlike a delay it is the same on a busy machine. */
  longestHoldMs(): number;
  close(): void;
};

const RESOLUTION_MS = 10;
const QUANTILES = [0.5, 0.99, 1];

export function watchEventLoop(): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let usedMs = usedByThread();
  let longestMs = 0;
  const look = (): void => {
    const now = usedByThread();
    longestMs = Math.max(longestMs, now - usedMs);
    usedMs = now;
  };
  const looking = setInterval(look, RESOLUTION_MS).unref();
  return {
    delays() {
      // Without a turn since the last time the library gives no number.
      const read = (quantile: number): number => (histogram.count === 0 ? 0 : histogram.percentile(quantile * 100) / 1e6);
      const delays = QUANTILES.map((quantile) => ({ quantile, ms: Math.max(0, read(quantile) - RESOLUTION_MS) }));
      histogram.reset();
      return delays;
    },
    longestHoldMs() {
      look();
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    close() {
      histogram.disable();
      clearInterval(looking);
    },
  };
}

function usedByThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
