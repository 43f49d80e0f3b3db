import { purchaseProblem } from '@partner-portal/core/billing/purchase.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';
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

/** Locks the subscription of the caller. Refuses `invalid_state` with what to do. */
export async function lockBuyer(tx: TenantTx, partnerId: string, now: Date): Promise<LockedSubscription> {
  const subscription = await lockOpenPeriod(tx, partnerId, now);
  const problem = purchaseProblem(subscription.status);
  return problem === null ? subscription : refuse('invalid_state', { detail: problem });
}
