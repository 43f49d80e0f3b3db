import type { DeliveryReason } from '@partner-portal/contract/vocabulary.ts';
import { tellAfterCommit } from '#platform/db/commit-news.ts';
import type { Tx } from '#platform/db/tx.ts';
import { failWaiting, insertQueued, type NewDelivery } from './store-queue.ts';
import { deliveriesWait } from './topic.ts';

export type { NewDelivery } from './store-queue.ts';

/** Queues a delivery to one endpoint in the caller's transaction: a test, a redelivery. It is sent as soon as that commits. Answers its id. */
export async function queueDelivery(tx: Tx, delivery: NewDelivery): Promise<string> {
  const [id] = await queueDeliveries(tx, [delivery]);
  if (id === undefined) throw new Error('A delivery was not queued.');
  return id;
}

/** Queues many at once, in the given order; answers their ids in that order. */
export async function queueDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const ids = await insertQueued(tx, deliveries);
  tellAfterCommit(tx, deliveriesWait.channel);
  return ids;
}

/**
 * Ends what waits for an endpoint that was switched off or removed (`endpoint_inactive`), or for a recovery that was cancelled. What is
 * being sent at this moment ends by its own outcome: if that fails, the sender sees that the endpoint is off. Answers how many ended.
 */
export function endWaiting(
  tx: Tx,
  which: { partnerId: string; endpointId: string; recoveryId?: string },
  reason: Extract<DeliveryReason, 'endpoint_inactive' | 'cancelled'>,
): Promise<number> {
  return failWaiting(tx, which, reason);
}
