import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';

/** Reruns one portion of a partner's oldest request. A lost job is enqueued again by the sweep. */
export const rerunJob = defineJob('executions.rerun', z.object({ partnerId: z.uuid() }), { attemptsMax: 3 });

/** Enqueues the job: one waiting job per partner, behind those of others that are due. */
export function queueRerun(tx: Tx, partnerId: string, runAt?: Date): Promise<void> {
  return enqueue(tx, rerunJob, { partnerId }, { key: `executions.rerun:${partnerId}`, ...(runAt ? { runAt } : {}) });
}
