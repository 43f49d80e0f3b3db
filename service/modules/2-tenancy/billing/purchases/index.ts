import { defineHandlers } from '#platform/http/context.ts';
import { defineCron, type JobHandler } from '#platform/jobs/define-job.ts';
import type { BillingDeps } from '../deps.ts';
import { deleteOldKeys } from '../once.ts';
import { adjust } from './adjust.ts';
import { buyCredits } from './buy-credits.ts';
import { buySeats } from './buy-seats.ts';
import { changeSettings } from './change-settings.ts';
import type { PurchasesDeps } from './deps.ts';
import { exportOrders, readOrders } from './list-orders.ts';
import { releaseSeats } from './release-seats.ts';

const KEYS_AT_ONCE = 1_000;

/** Part of billing: seats and credits that an agency buys, and adjustments by staff. */
export function purchases(deps: PurchasesDeps) {
  const jobs: JobHandler[] = [];
  return {
    routes: defineHandlers({
      buySeats: ({ body }, context) => buySeats(deps, context, body.quantity),
      releaseSeats: ({ body }, context) => releaseSeats(deps, context, body.quantity),
      buyCredits: ({ body }, context) => buyCredits(deps, context, body),
      listOrders: ({ query }, { actor }) => readOrders(deps, actor, query),
      exportOrders: ({ query }, { actor, now }) => exportOrders(deps, actor, query, now),
      updateBillingSettings: ({ body }, context) => changeSettings(deps, context, body),
      adjustBilling: ({ body }, context) => adjust(deps, context, body),
    }),
    jobs,
    crons: [defineCron('billing.sweep-keys', '17 * * * *', () => sweepKeys(deps))],
  };
}

async function sweepKeys({ db, clock }: BillingDeps): Promise<void> {
  const now = clock.now();
  while ((await db.asSystem('sweep', (tx) => deleteOldKeys(tx, now, KEYS_AT_ONCE))) === KEYS_AT_ONCE);
}
