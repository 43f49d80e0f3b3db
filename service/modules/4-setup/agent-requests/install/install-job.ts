import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';

/** Installs a due request. `due_at` is the request's own retry, so the queue only retries crashes. */
export const installRequestJob = defineJob('agent-requests.install', z.object({ requestId: z.uuid() }), { attemptsMax: 3 });

/** Queues installations: one waiting job per request. */
export async function queueInstalls(tx: Tx, requestIds: readonly string[], runAt?: Date): Promise<void> {
  await enqueueMany(
    tx,
    installRequestJob,
    requestIds.map((requestId) => ({ requestId })),
    { keyOf: ({ requestId }) => `agent-requests.install:${requestId}`, ...(runAt ? { runAt } : {}) },
  );
}
