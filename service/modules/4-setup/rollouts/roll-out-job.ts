import { z } from 'zod';
import type { SystemTx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';

/** One batch of a roll-out. All roll-outs share one queue, so that batches never overlap. The roll-out's `due_at` is its own retry. */
export const rollOutJob = defineJob('rollouts.run-batch', z.object({ rolloutId: z.uuid() }), { attemptsMax: 3, queue: 'rollouts' });

/** One waiting job per roll-out, however often it is asked for. */
export function queueBatch(tx: SystemTx, rolloutId: string): Promise<void> {
  return enqueue(tx, rollOutJob, { rolloutId }, { key: `rollouts.run-batch:${rolloutId}` });
}
