/**
 * Returns how many percent of the runs that ended did not fail; null without a run. A stopped run, which ended early on purpose, has the status
 * SUCCEEDED and counts as succeeded. Every share of succeeded runs is this one.
 */
export function succeededPercent({ runs, failed }: { runs: number; failed: number }): number | null {
  return runs === 0 ? null : ((runs - failed) / runs) * 100;
}
