export type Timing = { count: number; mean: number; p50: number; p95: number; p99: number; max: number };

/** Percentiles of latencies in milliseconds. */
export function summarise(latenciesMs: readonly number[]): Timing {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const sum = sorted.reduce((total, one) => total + one, 0);
  return { count: sorted.length, mean: sum / (sorted.length || 1), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** Formats times as one line. */
export function timingText(timing: Timing): string {
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
  return `mean ${ms(timing.mean)}, p50 ${ms(timing.p50)}, p95 ${ms(timing.p95)}, p99 ${ms(timing.p99)}`;
}
