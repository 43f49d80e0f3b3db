/** Days of a plan's average use whose runs may all fail on one day. */
const DAYS = 2;
const DAYS_A_PERIOD = 30;
const DAY_MS = 86_400_000;

/**
 * Returns how many runs of a partner may fail on one day (UTC) before further events are refused. Failed runs cost no credits, so without a
 * limit they would be a free use of the platform. `atLeast` is the setting FAILED_RUNS_FREE_PER_DAY. The SQL function `accept_executions`
 * computes the same.
 */
export function freeFailures(monthlyCredits: number, atLeast: number): number {
  return Math.max(atLeast, Math.ceil((monthlyCredits * DAYS) / DAYS_A_PERIOD));
}

/** Returns the whole seconds until the next day (UTC) begins, at least 1. */
export function secondsToNextDay(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
}
