import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { foldNotes, foldNotesOf } from './store-fold.ts';

/** Notes that one statement folds, and how long one tick may go on. */
const NOTES = 10_000;
const TICK_MS = 20_000;
/** Less than the lease of a purge. */
const FOLD_ONE_TIMEOUT_MS = 90_000;

/** Brings the sums of agencies and agents up to date: adds what was noted since the last tick. Sums are exact without it, too, and take longer to read the more is left. */
export async function foldUsage({ db }: { db: Database }, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const endsAt = performance.now() + TICK_MS;
  while ((await db.asSystem('metering', (tx) => foldNotes(tx, NOTES))) === NOTES && !signal.aborted && performance.now() < endsAt);
}

/** Folds all that was noted of one agency: a purge removes it, and the sums of all agencies keep it. */
export async function foldUsageOf(tx: SystemTx, partnerId: string): Promise<void> {
  await foldNotesOf(tx, partnerId, FOLD_ONE_TIMEOUT_MS);
}
