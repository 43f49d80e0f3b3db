import type { BillingDeps } from '../deps.ts';
import type { OpenPeriodDeps } from '../open-period.ts';

export type PurchasesDeps = BillingDeps &
  OpenPeriodDeps & {
    /** Days from `past_due` to the suspension. */
    suspendAfterDays: number;
  };
