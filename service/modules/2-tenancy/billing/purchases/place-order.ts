import type { Period } from '@partner-portal/core/billing/period.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { type CreditPack, insertOrder, insertWaitingLine, type LockedSubscription } from './store.ts';

/** Stores an order and its line, which waits for the next invoice. Returns the order's id. */
export async function placeOrder(
  tx: TenantTx,
  { actor, now }: RequestContext,
  { partnerId, currency }: LockedSubscription,
  order: {
    quantity: number;
    unitPriceMinor: number;
    amountMinor: number;
    pack: CreditPack | null;
    description: string;
    period: Period | null;
  },
): Promise<string> {
  const { description, period, ...ordered } = order;
  const id = await insertOrder(tx, { ...ordered, partnerId, currency, orderedBy: actor.userId, at: now });
  const kind = order.pack === null ? 'seats' : 'credits';
  await insertWaitingLine(tx, { ...ordered, partnerId, orderId: id, kind, description, currency, period, at: now });
  return id;
}
