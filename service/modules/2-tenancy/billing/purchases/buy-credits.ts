import { PURCHASED_CREDITS_MAX, quotePacks } from '@partner-portal/core/billing/purchase.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import { lockBuyer } from './lock-open-period.ts';
import type { PurchasesDeps } from './deps.ts';
import { onOpenPeriod } from '../open-period.ts';
import { placeOrder, requireAsShown } from './place-order.ts';
import { readCredits } from './store.ts';
import { findOrder } from './store-orders.ts';

export type PackOrder = { packId: string; quantity: number; unitPriceMinor?: number | undefined; packCredits?: number | undefined };

/**
 * Buys credit packs of the plan, usable at once. Refuses an unknown pack, and `invalid_state` for a subscription that cannot buy or a pack that
 * is no longer as it was shown.
 */
export async function buyCredits(deps: PurchasesDeps, context: RequestContext, { packId, quantity, ...shown }: PackOrder) {
  const { actor, now } = context;
  const { partnerId } = actor;
  return onOpenPeriod(deps, now, () =>
    deps.db.asTenant(actor, (tx) =>
      once(tx, context, { names: ['buyCredits'], partnerId, body: { packId, quantity } }, async () => {
        const subscription = await lockBuyer(tx, partnerId, now);
        const pack = subscription.creditPacks.find(({ id }) => id === packId);
        if (!pack) return refuseField('packId', 'unknown', 'Your plan has no such credit pack.');
        requireAsShown(shown, { unitPriceMinor: pack.priceMinor, pack, currency: subscription.currency });
        const { purchased } = await readCredits(tx, partnerId);
        const credits = pack.credits * quantity;
        if (purchased + credits > PURCHASED_CREDITS_MAX)
          refuseField('quantity', 'too_large', 'That is more credits than an agency can hold.');
        const { unitPriceMinor, dueNowMinor: amountMinor } = quotePacks(quantity, pack);
        const id = await placeOrder(tx, context, subscription, {
          quantity,
          unitPriceMinor,
          amountMinor,
          pack,
          description: `Credit pack of ${pack.credits.toLocaleString('en-US')} credits`,
          period: null,
        });
        await recordAudit(tx, {
          partnerId,
          actor,
          action: 'billing.credits_bought',
          target: { type: 'order', id, label: `${credits.toLocaleString('en-US')} credits` },
          changes: { purchasedCredits: [purchased, purchased + credits] },
          origin: originOf(context),
        });
        return findOrder(tx, id);
      }),
    ),
  );
}
