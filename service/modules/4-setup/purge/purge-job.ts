import { z } from 'zod';
import type { SystemTx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';

/** Works through all purges that are due. One such job runs at a time; `due_at` of a purge is its own retry. */
export const purgeJob = defineJob('purges.work', z.object({}), { attemptsMax: 3, queue: 'purges' });

/** Queues the work, now or at a time; one waiting job for each key. */
export async function queuePurges(tx: SystemTx, { runAt, key }: { runAt?: Date; key: string }): Promise<void> {
  await enqueue(tx, purgeJob, {}, { key: `purges.work:${key}`, ...(runAt ? { runAt } : {}) });
}
