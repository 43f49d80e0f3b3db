import { suspensionAt } from '@partner-portal/core/billing/collection.ts';
import { seatsCovered } from '@partner-portal/core/billing/next-invoice.ts';
import { effectiveTerms } from '@partner-portal/core/billing/terms.ts';
import type { Actor } from '#platform/actor.ts';
import type { LoadedSubscription } from './load-terms.ts';

/** The record of the API. `suspendAfterDays`: from the day payment became past due. Why the clock is paused is written for staff. */
export function toSubscription({ row, present, pending }: LoadedSubscription, suspendAfterDays: number, reader: Actor) {
  const { pendingPlanId: _plan, pendingOverrides: _overrides, purchasedBeyond, clockPausedAt, clockPausedReason, ...rest } = row;
  const terms = effectiveTerms(present.plan, present.overrides);
  const next = pending ? effectiveTerms(pending.plan, pending.overrides) : terms;
  const covered = seatsCovered({ purchased: row.purchasedSeats, beyond: purchasedBeyond ?? terms.includedSeats }, next.includedSeats);
  return {
    ...rest,
    planName: present.plan.name,
    terms,
    pendingSeatRelease: Math.min(row.pendingSeatRelease, row.purchasedSeats - covered),
    pendingSeatsIncluded: covered,
    pendingPlan: pending && {
      planId: pending.plan.id,
      planName: pending.plan.name,
      overrides: pending.overrides,
      terms: next,
      at: row.currentPeriodEnd,
    },
    suspendsAt: suspensionAt(row, { suspensionAfterDays: suspendAfterDays }),
    clockPaused: clockPausedAt && { at: clockPausedAt, reason: reader.role === 'ADMIN' ? clockPausedReason : null },
  };
}
