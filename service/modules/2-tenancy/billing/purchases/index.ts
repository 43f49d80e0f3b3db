import { defineCron, type JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { deleteOldKeys } from '../store-keys.ts';
import type { PurchasesDeps } from './deps.ts';
import { purchaseHandlers } from './routes.ts';

const KEYS_AT_ONCE = 1_000;

/** Part of billing: seats and credits that an agency buys, and adjustments by staff. */
export function purchases(deps: PurchasesDeps) {
  const jobs: JobHandler[] = [];
  return {
    routes: purchaseHandlers(deps),
    jobs,
    crons: [defineCron('billing.sweep-keys', '17 * * * *', () => sweepKeys(deps))],
  };
}

async function sweepKeys({ db, clock }: BillingDeps): Promise<void> {
  const now = clock.now();
  while ((await db.asSystem('sweep', (tx) => deleteOldKeys(tx, now, KEYS_AT_ONCE))) === KEYS_AT_ONCE);
}
