import { purchaseProblem, quoteSeats, seatShortage } from '@partner-portal/core/billing/purchase.ts';
import { seatsTotal, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import { once } from '../once.ts';
import type { PurchasesDeps } from './deps.ts';
import { onOpenPeriod } from '../open-period.ts';
import { lockOpenPeriod } from './lock-open-period.ts';
import { placeOrder } from './place-order.ts';
import { type LockedSubscription, setPendingRelease } from './store.ts';
import { findOrder } from './store-orders.ts';

/**
 * Buys seats, usable at once: an order with its waiting line for the rest of the period. Refuses `invalid_state` for a subscription that
 * cannot buy.
 */
export async function buySeats(deps: PurchasesDeps, context: RequestContext, quantity: number) {
  const { actor, now } = context;
  const { partnerId } = actor;
  return onOpenPeriod(deps, now, () =>
    deps.db.asTenant(actor, (tx) =>
      once(tx, context, { route: 'buySeats', partnerId }, async () => {
        const subscription = await lockBuyer(tx, partnerId, now);
        const seatPriceMinor = subscription.overrides.seatPriceMinor ?? subscription.seatPriceMinor;
        const period = { start: subscription.periodStart, end: subscription.periodEnd };
        const { share, unitPriceMinor, dueNowMinor } = quoteSeats(quantity, seatPriceMinor, period, now);
        const order = { quantity, unitPriceMinor, amountMinor: dueNowMinor };
        const id = await placeOrder(tx, context, subscription, {
          ...order,
          pack: null,
          description: `Team seats beyond the plan, ${share.days} of ${share.of} days`,
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

/**
 * Sets how many purchased seats end with the period; 0 keeps all. Refuses `seat_limit_reached` when members and pending invitations would not
 * fit into the rest. What is in use when the period ends stays.
 */
export async function releaseSeats(deps: PurchasesDeps, context: RequestContext, quantity: number): Promise<void> {
  const { actor, now } = context;
  const { partnerId } = actor;
  await onOpenPeriod(deps, now, () =>
    deps.db.asTenant(actor, async (tx) => {
      const subscription = await lockBuyer(tx, partnerId, now);
      const seats = await countSeats(tx, partnerId, now);
      if (quantity > seats.purchased)
        refuseField('quantity', 'too_large', `You bought ${seats.purchased} seats; no more than that can be released.`);
      const shortage = quantity === 0 ? null : seatShortage(seats, quantity);
      if (shortage)
        refuse('seat_limit_reached', {
          detail: `${shortage.used} seats are used by members or pending invitations, and ${shortage.limit} would be left.`,
          ...shortage,
        });
      await setPendingRelease(tx, partnerId, quantity);
      await recordAudit(tx, {
        partnerId,
        actor,
        action: 'billing.seats_released',
        target: { type: 'subscription', id: partnerId, label: null },
        changes: { seatsToRelease: [subscription.pendingSeatRelease, quantity] },
        origin: originOf(context),
      });
    }),
  );
}

/** Locks the subscription of the caller. Refuses `invalid_state` with what to do. */
export async function lockBuyer(tx: TenantTx, partnerId: string, now: Date): Promise<LockedSubscription> {
  const subscription = await lockOpenPeriod(tx, partnerId, now);
  const problem = purchaseProblem(subscription.status);
  return problem === null ? subscription : refuse('invalid_state', { detail: problem });
}
