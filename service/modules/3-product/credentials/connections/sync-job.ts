import { z } from 'zod';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { Slot } from '../store.ts';
import { markConnectionsDue } from './store-connections.ts';

/** Brings one engine connection up to date. Its own retry is the connection's `due_at`, so the queue tries only what crashed. */
export const syncConnectionJob = defineJob('credentials.sync', z.object({ connectionId: z.uuid() }), { attemptsMax: 3 });

/** One waiting job per connection, however often it is asked for. */
export async function queueSync(tx: Tx, connectionIds: readonly string[], runAt?: Date): Promise<void> {
  await enqueueMany(
    tx,
    syncConnectionJob,
    connectionIds.map((connectionId) => ({ connectionId })),
    { keyOf: ({ connectionId }) => `credentials.sync:${connectionId}`, ...(runAt ? { runAt } : {}) },
  );
}

/**
 * Call in the transaction that changes a slot, once it is locked and before its row is written: every bound connection that
 * carries it becomes due and gets its job. Slot, connections, key: everybody locks in this order, the writer that opens a key
 * for a connection it has claimed as well.
 */
export async function queueSyncs(tx: Tx, slot: Slot): Promise<void> {
  await queueSync(tx, await markConnectionsDue(tx, slot));
}
