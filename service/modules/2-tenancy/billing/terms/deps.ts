import type { BillingDeps } from '../deps.ts';
import type { OpenPeriodDeps } from '../open-period.ts';

export type TermsDeps = BillingDeps &
  OpenPeriodDeps & {
    /** Days from `past_due` to the suspension. */
    suspendAfterDays: number;
  };
