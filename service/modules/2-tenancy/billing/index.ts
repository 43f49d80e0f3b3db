import type { BillingDeps } from './deps.ts';
import { invoices } from './invoices/index.ts';
import { periods } from './periods/index.ts';
import { purchases } from './purchases/index.ts';
import { terms } from './terms/index.ts';

export type { BillingDeps } from './deps.ts';
export { issueDraft } from './invoices/change-invoice.ts';
export { revenueOf } from './invoices/read-revenue.ts';
export type { Invoicing } from './invoices/seller.ts';
export { approveTerms, withOpenPeriod } from './terms/approve-terms.ts';
export { readSubscription } from './terms/read-subscription.ts';
export { draftFirstInvoices, reviveSubscriptions } from './terms/follow-account.ts';
export { subscriptionRestored, subscriptionSuspended } from './facts.ts';

/** Purchases, usage and debts of an agency. */
export function billing(deps: BillingDeps) {
  const ended = periods(deps);
  const parts = {
    terms: terms({ ...deps, rollOver: ended.rollOver, suspendAfterDays: deps.collection.suspensionAfterDays }),
    purchases: purchases({ ...deps, rollOver: ended.rollOver, suspendAfterDays: deps.collection.suspensionAfterDays }),
    periods: ended,
    invoices: invoices(deps),
  };
  const all = [parts.terms, parts.purchases, parts.periods, parts.invoices];
  return {
    ...parts,
    routes: { ...parts.terms.routes, ...parts.purchases.routes, ...parts.invoices.routes },
    jobs: all.flatMap(({ jobs }) => jobs),
    crons: all.flatMap(({ crons }) => crons),
  };
}
