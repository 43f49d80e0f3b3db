import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';

/** Milliseconds by quantile: the median, what one in a hundred exceeds, and the most. */
export type Quantiles = { quantile: number; ms: number }[];

/** How long work waited for the event loop of this thread, and for how long work held it, since the last time each was read. */
export type LoopWatch = {
  /** The watch's own resolution left out. Includes what other processes took. */
  delays(): Quantiles;
  /** Processor time spent between two looks at the loop: unlike a delay it is the same on a busy machine. */
  holds(): Quantiles;
  close(): void;
};

const RESOLUTION_MS = 10;
const QUANTILES = [0.5, 0.99, 1];

export function watchEventLoop(): LoopWatch {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const holds: RecordableHistogram = createHistogram();
  let usedUs = usedByThread();
  const look = (): void => {
    const now = usedByThread();
    holds.record(Math.max(1, now - usedUs));
    usedUs = now;
  };
  const looking = setInterval(look, RESOLUTION_MS).unref();
  return {
    delays() {
      // A histogram without a value has no quantiles.
      const read = (quantile: number): number => (delays.count === 0 ? 0 : delays.percentile(quantile * 100) / 1e6);
      const found = QUANTILES.map((quantile) => ({ quantile, ms: Math.max(0, read(quantile) - RESOLUTION_MS) }));
      delays.reset();
      return found;
    },
    holds() {
      look();
      const found = QUANTILES.map((quantile) => ({ quantile, ms: holds.percentile(quantile * 100) / 1e3 }));
      holds.reset();
      return found;
    },
    close() {
      delays.disable();
      clearInterval(looking);
    },
  };
}

/** Microseconds. */
function usedByThread(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
