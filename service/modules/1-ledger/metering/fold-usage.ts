import { runStatement } from '#platform/db/statements.ts';
import type { Database } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';

/** Notes that one statement folds, and how long one tick may go on. */
const NOTES = 20_000;
const TICK_MS = 20_000;
/** An agency with many years is filled by one statement. */
const FILL_TIMEOUT_MS = 600_000;

/**
 * Brings the hourly sums of agencies up to date: adds what was used before they existed, agency by agency, then what was noted since the last
 * tick. Sums are exact without it, too, and take longer to read the more is left.
 */
export async function foldUsage({ db }: { db: Database }, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const endsAt = performance.now() + TICK_MS;
  const goesOn = (): boolean => !signal.aborted && performance.now() < endsAt;
  while ((await fillOne(db)) && goesOn());
  while ((await foldSome(db)) === NOTES && goesOn());
}

/** Returns whether an agency was filled. */
async function fillOne(db: Database): Promise<boolean> {
  return db.asSystem('metering', async (tx) => {
    await runStatement(tx, {
      name: 'metering_fill_timeout',
      text: `select set_config('statement_timeout', $1, true)`,
      values: [String(FILL_TIMEOUT_MS)],
    });
    const [row] = await runStatement<'metering_fill', { filled: string | null }>(tx, {
      name: 'metering_fill',
      text: 'select fill_usage() as filled',
    });
    return typeof row?.filled === 'string';
  });
}

/** Returns how many notes were taken. */
async function foldSome(db: Database): Promise<number> {
  return db.asSystem('metering', async (tx) => {
    const [row] = await runStatement<'metering_fold', { taken: number }>(tx, {
      name: 'metering_fold',
      text: 'select fold_usage($1) as taken',
      values: [NOTES],
    });
    return row?.taken ?? 0;
  });
}
