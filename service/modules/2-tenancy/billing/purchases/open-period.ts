import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import type { PurchasesDeps } from './deps.ts';
import { type LockedSubscription, lockSubscription } from './store.ts';

/** The period has ended, but its roll-over has not come round. */
class PeriodEnded extends Error {}

/**
 * Runs a purchase on a period that has not ended: `run` opens the transaction. If the period has ended, the subscription is rolled over first
 * and the purchase made again, so that nothing is bought for a period that is over.
 */
export async function onOpenPeriod<T>(deps: PurchasesDeps, partnerId: string, now: Date, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PeriodEnded)) throw error;
  }
  await deps.rollOver(partnerId, now);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PeriodEnded)) throw error;
    return refuse('invalid_state', { detail: 'The billing period is just ending. Try again in a minute.', cause: error });
  }
}

/** Locks the subscription. Call it within `onOpenPeriod`. Refuses `not_found`. */
export async function lockOpenPeriod(tx: Tx, partnerId: string, now: Date): Promise<LockedSubscription> {
  const subscription = await lockSubscription(tx, partnerId);
  if (!subscription) return refuse('not_found');
  // An expired and a cancelled subscription are not rolled over.
  if (subscription.periodEnd <= now && !['expired', 'cancelled'].includes(subscription.status)) throw new PeriodEnded();
  return subscription;
}
