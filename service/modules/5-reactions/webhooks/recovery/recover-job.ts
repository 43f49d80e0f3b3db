import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';

/** Queues one portion of a recovery. The sweep queues a lost job again. */
export const recoverJob = defineJob('webhooks.recover', z.object({ partnerId: z.uuid(), recoveryId: z.uuid() }), { attemptsMax: 3 });

/** Queues the job: one waiting job per recovery. */
export function queueRecovery(tx: Tx, recovery: { id: string; partnerId: string }, runAt?: Date): Promise<void> {
  const payload = { partnerId: recovery.partnerId, recoveryId: recovery.id };
  return enqueue(tx, recoverJob, payload, { key: `webhooks.recover:${recovery.id}`, ...(runAt ? { runAt } : {}) });
}
