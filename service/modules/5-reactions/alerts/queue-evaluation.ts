import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';

/** Evaluates the alert rules of one partner. The trigger `endpoint_streak_crossed` queues it under the same name. */
export const evaluateJob = defineJob('alerts.look', z.object({ partnerId: z.uuid() }));

/** Queues the evaluation of the partners a change belongs to: one waiting job per partner. */
export async function queueEvaluation(tx: Tx, changes: readonly { partnerId: string }[]): Promise<void> {
  const partnerIds = [...new Set(changes.map(({ partnerId }) => partnerId))].toSorted();
  await enqueueMany(
    tx,
    evaluateJob,
    partnerIds.map((partnerId) => ({ partnerId })),
    { keyOf: ({ partnerId }) => `alerts.look:${partnerId}` },
  );
}

/** Only a status that becomes or stops being `failed` opens or resolves an alert. */
export async function queueEvaluationOfInstances(
  tx: Tx,
  changes: readonly { partnerId: string; from: string; to: string }[],
): Promise<void> {
  await queueEvaluation(
    tx,
    changes.filter(({ from, to }) => (from === 'failed') !== (to === 'failed')),
  );
}
