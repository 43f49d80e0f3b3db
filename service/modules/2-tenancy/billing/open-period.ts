import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { ROLLED_OVER } from '@partner-portal/core/billing/roll-over.ts';
import { refuse } from '#platform/refuse.ts';

/** The period has ended, but its roll-over has not come round. */
class PeriodEnded extends Error {
  readonly partnerId: string;
  constructor(partnerId: string) {
    super('A billing period has ended.');
    this.partnerId = partnerId;
  }
}

export type OpenPeriodDeps = {
  /** Rolls a subscription over whose period has ended, in transactions of its own. */
  rollOver: (partnerId: string, now: Date) => Promise<unknown>;
};

/**
 * Runs a purchase or a change of terms on a period that has not ended: `run` opens the transaction. If the period has ended, the subscription
 * is rolled over first and `run` called again, so that nothing is bought or changed for a period that is over.
 */
export async function onOpenPeriod<T>(deps: OpenPeriodDeps, now: Date, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PeriodEnded)) throw error;
    await deps.rollOver(error.partnerId, now);
  }
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PeriodEnded)) throw error;
    return refuse('invalid_state', { detail: 'The billing period is just ending. Try again in a minute.', cause: error });
  }
}

/** Makes `onOpenPeriod` roll over first when the period of a locked subscription has ended. */
export function requireOpenPeriod(subscription: { partnerId: string; status: SubscriptionStatus; periodEnd: Date }, now: Date): void {
  if (subscription.periodEnd <= now && ROLLED_OVER.includes(subscription.status)) throw new PeriodEnded(subscription.partnerId);
}
