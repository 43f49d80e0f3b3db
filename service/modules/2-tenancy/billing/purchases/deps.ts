import type { BillingDeps } from '../deps.ts';

export type PurchasesDeps = BillingDeps & {
  /** Rolls a subscription over whose period has ended, in transactions of its own. */
  rollOver: (partnerId: string, now: Date) => Promise<unknown>;
};
