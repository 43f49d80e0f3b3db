import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';

/** Takes up a request that is due. The request's `due_at` is its own retry, so the queue tries only what crashed. */
export const installRequestJob = defineJob('agent-requests.install', z.object({ requestId: z.uuid() }), { attemptsMax: 3 });

/** One waiting job per request, however often it is asked for. */
export async function queueInstalls(tx: Tx, requestIds: readonly string[], runAt?: Date): Promise<void> {
  await enqueueMany(
    tx,
    installRequestJob,
    requestIds.map((requestId) => ({ requestId })),
    { keyOf: ({ requestId }) => `agent-requests.install:${requestId}`, ...(runAt ? { runAt } : {}) },
  );
}
