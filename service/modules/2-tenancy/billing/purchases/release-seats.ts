import { seatShortage } from '@partner-portal/core/billing/purchase.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import { onOpenPeriod } from '../open-period.ts';
import { readSubscription } from '../terms/read-subscription.ts';
import type { PurchasesDeps } from './deps.ts';
import { lockBuyer } from './lock-open-period.ts';
import { setPendingRelease } from './store.ts';

/**
 * Sets how many purchased seats end with the period; 0 keeps all. Refuses `seat_limit_reached` when members and pending invitations would not
 * fit into the rest, of the present terms and of those that wait and fit. Seats in use when the period ends stay.
 */
export async function releaseSeats(deps: PurchasesDeps, context: RequestContext, quantity: number) {
  const { actor, now } = context;
  const { partnerId } = actor;
  return onOpenPeriod(deps, now, () =>
    deps.db.asTenant(actor, async (tx) => {
      const subscription = await lockBuyer(tx, partnerId, now);
      const seats = await countSeats(tx, partnerId, now);
      if (quantity > seats.purchased)
        refuseField('quantity', 'too_large', `You bought ${seats.purchased} seats; no more than that can be released.`);
      const read = () => readSubscription(tx, partnerId, deps.suspendAfterDays, context);
      const { terms, pendingPlan } = await read();
      const next = pendingPlan?.exceeds.length === 0 ? pendingPlan.terms : terms;
      const lost = Math.max(0, terms.includedSeats - next.includedSeats);
      const shortage = quantity === 0 ? null : seatShortage(seats, quantity + lost);
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
      return read();
    }),
  );
}
