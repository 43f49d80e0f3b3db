import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { requireOpenPeriod } from '../open-period.ts';
import { type LockedSubscription, lockSubscription } from './store.ts';

/** Locks the subscription. Call it within `onOpenPeriod`. Refuses `not_found`. */
export async function lockOpenPeriod(tx: Tx, partnerId: string, now: Date): Promise<LockedSubscription> {
  const subscription = await lockSubscription(tx, partnerId);
  if (!subscription) return refuse('not_found');
  requireOpenPeriod(subscription, now);
  return subscription;
}
