import type { PurchasesDeps } from './deps.ts';
import { purchaseHandlers } from './routes.ts';

/** Part of billing: seats and credits that an agency buys, and adjustments by staff. */
export function purchases(deps: PurchasesDeps) {
  return {
    routes: purchaseHandlers(deps),
    jobs: [],
    crons: [],
  };
}
