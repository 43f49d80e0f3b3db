import type { DeliveryReason } from '@partner-portal/contract/vocabulary.ts';
import { notifyAfterCommit } from '#platform/db/commit-topics.ts';
import type { Tx } from '#platform/db/tx.ts';
import { failQueuedRows, insertQueued, type NewDelivery } from './store-queue.ts';
import { deliveriesDue } from './topic.ts';

export type { NewDelivery } from './store-queue.ts';

/** Queues one delivery (a test or redelivery) in the caller's transaction; it is sent after the commit. Returns its id. */
export async function queueDelivery(tx: Tx, delivery: NewDelivery): Promise<string> {
  const [id] = await queueDeliveries(tx, [delivery]);
  if (id === undefined) throw new Error('A delivery was not queued.');
  return id;
}

/** Queues many in the given order; returns their ids in that order. */
export async function queueDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const ids = await insertQueued(tx, deliveries);
  notifyAfterCommit(tx, deliveriesDue.channel);
  return ids;
}

/**
 * Fails queued deliveries of an endpoint that was switched off or removed (`endpoint_inactive`), or of a cancelled recovery. Attempts in
 * flight end with their own outcome, and the sender checks the endpoint before another one. Returns how many were failed.
 */
export function failQueued(
  tx: Tx,
  which: { partnerId: string; endpointId: string; recoveryId?: string },
  reason: Extract<DeliveryReason, 'endpoint_inactive' | 'cancelled'>,
): Promise<number> {
  return failQueuedRows(tx, which, reason);
}
