import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Finisher } from './finish.ts';
import { readOverdue } from './hot-store.ts';

export type FailOverdueDeps = { db: Database; finisher: Finisher; log: Log };

const BATCH = 200;

/** The timeout job: runs past their deadline end as FAILED `timeout`, a bounded batch at a time. Returns how many ended. */
export async function failOverdue(deps: FailOverdueDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await readOverdue(deps.db, BATCH);
    const results = await Promise.all(
      overdue.map(({ id, workflowId, templateName, input, minutes }) =>
        deps.finisher.fail({
          executionId: id,
          workflowId,
          templateName,
          input,
          code: 'timeout',
          message: `No report within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
        }),
      ),
    );
    const applied = results.filter((one) => one.applied).length;
    ended += applied;
    // A full batch of which nothing changed would come back for ever.
    if (overdue.length < BATCH || applied === 0) break;
  }
  if (ended > 0) deps.log.info({ ended }, 'runs without a report were ended');
  return ended;
}
