import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { Slot } from './store.ts';
import { markConnectionsDue } from './store-connections.ts';

/** Updates one engine connection. It retries through the connection's `due_at`; the queue retries crashes only. */
export const syncConnectionJob = defineJob('credentials.sync', z.object({ connectionId: z.uuid() }), { attemptsMax: 3 });

/** Half the places of the job runner: while the engine is slow, the other half stays free for other jobs. */
const SYNC_QUEUES = 12;

/** The queue of a connection, which stays the same: the random end of its id decides. */
export const syncQueueOf = (connectionId: string): number => Number.parseInt(connectionId.slice(-2), 16) % SYNC_QUEUES;

/** Enqueues one job per connection; repeated calls add none. Agencies take turns: a key that many connections carry delays no other key. */
export async function queueSync(tx: Tx, connectionIds: readonly string[], runAt?: Date): Promise<void> {
  const queues = Map.groupBy(connectionIds, syncQueueOf);
  // In one order: concurrent callers lock the same jobs in the same order.
  for (const [queue, ids] of [...queues].toSorted(([one], [other]) => one - other))
    await enqueueMany(
      tx,
      { ...syncConnectionJob, queue: `credentials.sync.${queue}` },
      ids.map((connectionId) => ({ connectionId })),
      { keyOf: ({ connectionId }) => `credentials.sync:${connectionId}`, inTurn: true, ...(runAt ? { runAt } : {}) },
    );
}

/**
 * Marks every bound connection that carries the slot as due and enqueues its job. Call it in the transaction that changes the slot, after
 * locking it and before writing its row. Lock order everywhere: slot, connections, credential.
 */
export async function queueSyncs(tx: Tx, slot: Slot): Promise<void> {
  await queueSync(tx, await markConnectionsDue(tx, slot));
}
