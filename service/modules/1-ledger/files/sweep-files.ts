import type { SystemTx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { FilesDeps } from './deps.ts';
import { deleteIncomplete, deleteUnreferenced } from './store.ts';

/** A file is written before the row that refers to it; both take minutes at most. */
const AGE_MS = 86_400_000;
/** Few, since an export has thousands of chunks. */
const BATCH = 20;

/** Removes what interrupted writes left behind: files that are incomplete, or that no row refers to, after a day. Returns how many. */
export async function sweepFiles({ db, clock }: FilesDeps, { signal }: Pick<JobContext, 'signal'>): Promise<number> {
  const before = new Date(clock.now().getTime() - AGE_MS);
  let removed = 0;
  for (const remove of [deleteIncomplete, deleteUnreferenced]) {
    for (let count = BATCH; count === BATCH && !signal.aborted;) {
      count = await db.asSystem('sweep', (tx: SystemTx) => remove(tx, before, BATCH));
      removed += count;
    }
  }
  return removed;
}
