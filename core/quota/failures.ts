const DAY_MS = 86_400_000;

/** Returns the whole seconds until the next day (UTC) begins, at least 1. */
export function secondsToNextDay(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
}
