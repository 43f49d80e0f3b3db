import { defineHandlers } from '#platform/http/context.ts';
import { adjust } from './adjust.ts';
import { buyCredits } from './buy-credits.ts';
import { buySeats } from './buy-seats.ts';
import { changeSettings } from './change-settings.ts';
import type { PurchasesDeps } from './deps.ts';
import { exportOrders, readOrders } from './list-orders.ts';
import { releaseSeats } from './release-seats.ts';

export function purchaseHandlers(deps: PurchasesDeps) {
  return defineHandlers({
    buySeats: ({ body }, context) => buySeats(deps, context, body),
    releaseSeats: ({ body }, context) => releaseSeats(deps, context, body.quantity),
    buyCredits: ({ body }, context) => buyCredits(deps, context, body),
    listOrders: ({ query }, { actor }) => readOrders(deps, actor, query),
    exportOrders: ({ query }, { actor, now }) => exportOrders(deps, actor, query, now),
    updateBillingSettings: ({ body }, context) => changeSettings(deps, context, body),
    adjustBilling: ({ body }, context) => adjust(deps, context, body),
  });
}
