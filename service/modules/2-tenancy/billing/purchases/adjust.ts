import { creditsToTake, PURCHASED_CREDITS_MAX, seatShortage } from '@partner-portal/core/billing/purchase.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import type { PurchasesDeps } from './deps.ts';
import { onOpenPeriod } from '../open-period.ts';
import { lockOpenPeriod } from './lock-open-period.ts';
import { insertAdjustment, lockQuota, readCredits } from './store.ts';

export type Adjustment = { partnerId: string; credits?: number | undefined; seats?: number | undefined; note: string };

/**
 * Adds or takes credits or seats without charge. Refuses `invalid_state` when more credits would be taken than are left, `validation_failed`
 * for more than an agency can hold, and `seat_limit_reached` when members and pending invitations would not fit.
 */
export async function adjust(deps: PurchasesDeps, context: RequestContext, adjustment: Adjustment) {
  const { actor, now } = context;
  const { partnerId, credits = null, seats = null, note } = adjustment;
  return onOpenPeriod(deps, now, () =>
    deps.db.asStaff(actor, async (tx) => {
      // Before the key, which belongs to the agency: an unknown one is not found.
      const subscription = await lockOpenPeriod(tx, partnerId, now);
      return once(tx, context, { names: ['adjustBilling'], partnerId, body: adjustment }, async () => {
        const changes = credits === null ? await checkSeats(tx, partnerId, seats ?? 0, now) : await checkCredits(tx, partnerId, credits);
        const id = await insertAdjustment(tx, { partnerId, credits, seats, note, adjustedBy: actor.userId, createdAt: now });
        await recordAudit(tx, {
          partnerId,
          actor,
          action: 'billing.adjusted',
          target: { type: 'partner', id: partnerId, label: subscription.partnerName },
          changes: { ...changes, note: [null, note] },
          origin: originOf(context),
        });
        return { id, partnerId, credits, seats, note, adjustedBy: actor.userId, createdAt: now };
      });
    }),
  );
}

async function checkCredits(tx: SystemTx, partnerId: string, credits: number): Promise<Record<string, [number, number]>> {
  // Runs settle on this row: what they use meanwhile counts.
  await lockQuota(tx, partnerId);
  const before = await readCredits(tx, partnerId);
  const left = creditsToTake(before);
  if (-credits > left)
    refuse('invalid_state', { detail: `${left.toLocaleString('en-US')} purchased credits are left; no more can be taken.`, limit: left });
  if (credits > 0 && before.purchased + credits > PURCHASED_CREDITS_MAX)
    refuseField('credits', 'too_large', 'That is more credits than an agency can hold.');
  return { purchasedCredits: [before.purchased, before.purchased + credits] };
}

async function checkSeats(tx: SystemTx, partnerId: string, seats: number, now: Date): Promise<Record<string, [number, number]>> {
  const before = await countSeats(tx, partnerId, now);
  const shortage = seats < 0 ? seatShortage(before, -seats) : null;
  if (shortage)
    refuse('seat_limit_reached', {
      detail: `${shortage.used} seats are used by members or pending invitations, and ${shortage.limit} would be left.`,
      ...shortage,
    });
  return { includedSeats: [before.included, before.included + seats] };
}
