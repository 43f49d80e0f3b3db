/** How a purge proceeds: what it waits for, and how much it does at once. */

const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 5 * 60_000;

/** Wait before a step that failed `tries` times is tried again: 5 s, doubled each time, at most five minutes. */
export function purgeRetryMs(tries: number): number {
  return Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.max(0, Math.min(tries, 20) - 1));
}

export const BATCH_ROWS_MAX = 5_000;
const BATCH_ROWS_MIN = 100;
/** A batch that takes longer than this is made smaller. */
const BATCH_MS_MAX = 250;
const BATCH_MS_GOOD = 100;

/** Rows of the next batch, after one of `rows` took `tookMs`: halved when it was slow, doubled when it was quick. */
export function nextBatchRows(rows: number, tookMs: number, most = BATCH_ROWS_MAX): number {
  if (tookMs > BATCH_MS_MAX) return Math.max(Math.min(BATCH_ROWS_MIN, most), Math.floor(rows / 2));
  if (tookMs < BATCH_MS_GOOD) return Math.min(most, rows * 2);
  return Math.min(most, rows);
}

/** Pause after a batch: as long as it took, so that half of the time at least belongs to others. */
export function pauseAfterMs(tookMs: number): number {
  return Math.min(1_000, Math.max(5, Math.ceil(tookMs)));
}
