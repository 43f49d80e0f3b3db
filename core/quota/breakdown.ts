const HOUR_MS = 3_600_000;

/** More clients, agents or agencies than this are not listed. */
export const USAGE_ROWS_MAX = 1_000;

/** Returns from when a period's usage is added up: usage is counted by the hour, so from the hour in which the period began. */
export function usageSince(periodStart: Date): Date {
  return new Date(Math.floor(periodStart.getTime() / HOUR_MS) * HOUR_MS);
}

/**
 * Returns the credits that the meter counts and a breakdown of the same period does not list: of rows beyond its end, of what was removed, and of runs
 * that began before the period. Negative when the rows include credits of the period before, in the hour in which the new one began.
 */
export function creditsElsewhere(used: number, rows: readonly { credits: number }[]): number {
  return used - rows.reduce((sum, { credits }) => sum + credits, 0);
}
