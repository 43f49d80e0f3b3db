import { SEATS } from '@partner-portal/core/billing/next-invoice.ts';
import { quoteSeats } from '@partner-portal/core/billing/purchase.ts';
import { seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import type { PurchasesDeps } from './deps.ts';
import { onOpenPeriod } from '../open-period.ts';
import { lockBuyer } from './lock-open-period.ts';
import { placeOrder, requireAsShown } from './place-order.ts';
import { findOrder } from './store-orders.ts';

/**
 * Buys seats, usable at once: an order with its waiting line for the rest of the period. Refuses `invalid_state` for a subscription that
 * cannot buy, or when a seat no longer costs what was shown.
 */
export async function buySeats(
  deps: PurchasesDeps,
  context: RequestContext,
  { quantity, ...shown }: { quantity: number; unitPriceMinor?: number | undefined },
) {
  const { actor, now } = context;
  const { partnerId } = actor;
  return onOpenPeriod(deps, now, () =>
    deps.db.asTenant(actor, (tx) =>
      once(tx, context, { names: ['buySeats'], partnerId, body: { quantity } }, async () => {
        const subscription = await lockBuyer(tx, partnerId, now);
        const seatPriceMinor = subscription.overrides.seatPriceMinor ?? subscription.seatPriceMinor;
        const period = { start: subscription.periodStart, end: subscription.periodEnd };
        const { share, unitPriceMinor, dueNowMinor } = quoteSeats(quantity, seatPriceMinor, period, now);
        requireAsShown(shown, { unitPriceMinor, pack: null, currency: subscription.currency });
        const order = { quantity, unitPriceMinor, amountMinor: dueNowMinor };
        const id = await placeOrder(tx, context, subscription, {
          ...order,
          pack: null,
          description: `${SEATS}: ${share.days} of ${share.of} days`,
          period: { start: now, end: period.end },
        });
        const seats = await countSeats(tx, partnerId, now);
        await publishEvent(tx, {
          partnerId,
          type: 'seat_purchase.completed',
          data: {
            partnerId,
            partnerName: subscription.partnerName,
            actor: { type: 'user', id: actor.userId, email: actor.email },
            portalUrl: `${deps.baseUrl}/dashboard/billing`,
            order: { id, ...order, currency: subscription.currency },
            seats: { included: seats.included, purchased: seats.purchased, total: seatsTotal(seats), used: seatsUsed(seats) },
          },
        });
        await recordAudit(tx, {
          partnerId,
          actor,
          action: 'billing.seats_bought',
          target: { type: 'order', id, label: quantity === 1 ? '1 seat' : `${quantity} seats` },
          changes: { purchasedSeats: [subscription.purchasedSeats, seats.purchased] },
          origin: originOf(context),
        });
        return findOrder(tx, id);
      }),
    ),
  );
}
