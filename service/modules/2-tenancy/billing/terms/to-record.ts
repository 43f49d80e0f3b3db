import { suspensionAt } from '@partner-portal/core/billing/collection.ts';
import { seatsCovered, seatsOfNextPeriod } from '@partner-portal/core/billing/next-invoice.ts';
import { excessOf } from '@partner-portal/core/billing/plan-change.ts';
import { effectiveTerms } from '@partner-portal/core/billing/terms.ts';
import type { Actor } from '#platform/actor.ts';
import type { LoadedSubscription } from './load-terms.ts';

type Reading = {
  /** Clients and seats in use, which decide whether terms that wait will apply. */
  used: Parameters<typeof excessOf>[0]['used'];
  /** Days from when payment became past due. */
  suspendAfterDays: number;
  reader: Actor;
};

/** The record of the API. Why the clock is paused is written for staff. */
export function toSubscription({ row, present, pending }: LoadedSubscription, { used, suspendAfterDays, reader }: Reading) {
  const { pendingPlanId: _plan, pendingOverrides: _overrides, purchasedBeyond, clockPausedAt, clockPausedReason, ...rest } = row;
  const terms = effectiveTerms(present.plan, present.overrides);
  const waiting = pending && effectiveTerms(pending.plan, pending.overrides);
  const { grantedSeats, purchasedSeats } = row;
  const exceeds = waiting ? excessOf({ from: { terms }, to: { terms: waiting }, grantedSeats, purchasedSeats, used }) : [];
  const next = waiting && exceeds.length === 0 ? waiting : terms;
  const bought = { purchased: purchasedSeats, beyond: purchasedBeyond ?? terms.includedSeats };
  const billed = seatsOfNextPeriod({ ...bought, released: 0, granted: grantedSeats, inUse: used.seats }, next.includedSeats);
  return {
    ...rest,
    planName: present.plan.name,
    terms,
    pendingSeatRelease: Math.min(row.pendingSeatRelease, purchasedSeats - seatsCovered(bought, next.includedSeats)),
    pendingSeatsIncluded: purchasedSeats - billed,
    pendingPlan: pending &&
      waiting && {
        planId: pending.plan.id,
        planName: pending.plan.name,
        overrides: pending.overrides,
        terms: waiting,
        at: row.currentPeriodEnd,
        exceeds,
      },
    suspendsAt: suspensionAt(row, { suspensionAfterDays: suspendAfterDays }),
    clockPaused: clockPausedAt && { at: clockPausedAt, reason: reader.role === 'ADMIN' ? clockPausedReason : null },
  };
}
