import { formatMoney } from '@partner-portal/core/billing/money.ts';
import type { Period } from '@partner-portal/core/billing/period.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
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

/**
 * Refuses `invalid_state` when staff have changed since what the buyer was shown: the price of one, or the credits of a pack. `shown` has what the
 * call names.
 */
export function requireAsShown(
  shown: { unitPriceMinor?: number | undefined; packCredits?: number | undefined },
  { unitPriceMinor, pack, currency }: { unitPriceMinor: number; pack: CreditPack | null; currency: string },
): void {
  const isPrice = shown.unitPriceMinor === undefined || shown.unitPriceMinor === unitPriceMinor;
  const isPack = pack === null || shown.packCredits === undefined || shown.packCredits === pack.credits;
  if (isPrice && isPack) return;
  const what = pack === null ? 'A seat' : `This pack of ${pack.credits.toLocaleString('en-US')} credits`;
  const price = `${formatMoney(unitPriceMinor, currency)}${pack === null ? ' a month' : ''}`;
  refuse('invalid_state', { detail: `${what} costs ${price} now. Nothing was bought: check the amount and buy again.` });
}
