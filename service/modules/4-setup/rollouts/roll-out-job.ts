import { z } from 'zod';
import type { SystemTx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';

/** Runs one batch. All rollouts share one queue, so that batches never overlap. `due_at` is the rollout's own retry. */
export const rollOutJob = defineJob('rollouts.run-batch', z.object({ rolloutId: z.uuid() }), { attemptsMax: 3, queue: 'rollouts' });

/** Queues the next batch: one waiting job per rollout. */
export function queueBatch(tx: SystemTx, rolloutId: string): Promise<void> {
  return enqueue(tx, rollOutJob, { rolloutId }, { key: `rollouts.run-batch:${rolloutId}` });
}
