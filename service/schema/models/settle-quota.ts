/** Model of the SQL function `settle_quota`, which crosses thresholds where credits are charged; transition.test.ts of the executions module compares the two. */
export type ThresholdFacts = {
  /** Percentages of the limit, in any order. */
  thresholds: readonly number[];
  /** The highest threshold announced in this period; 0 for none. */
  announced: number;
  used: number;
  limit: number;
};

/**
 * Returns the thresholds that this use crosses, lowest first, and the highest announced from then on. Each is announced once per
 * period, even if credits are added later.
 */
export function crossThresholds({ thresholds, announced, used, limit }: ThresholdFacts): { crossed: number[]; announced: number } {
  const crossed = thresholds.filter((percent) => percent > announced && used * 100 >= percent * limit).toSorted((a, b) => a - b);
  return { crossed, announced: Math.max(announced, ...crossed) };
}
