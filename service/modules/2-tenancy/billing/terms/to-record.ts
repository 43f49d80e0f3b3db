import { effectiveTerms } from '@partner-portal/core/billing/terms.ts';
import type { LoadedSubscription } from './load-terms.ts';

const DAY_MS = 86_400_000;

/** The record of the API. `suspendAfterDays`: from the day payment became past due. */
export function toSubscription({ row, present, pending }: LoadedSubscription, suspendAfterDays: number) {
  const { pendingPlanId: _plan, pendingOverrides: _overrides, clockPausedAt, clockPausedReason, ...rest } = row;
  const isCounting = row.status === 'past_due' && clockPausedAt === null && row.pastDueSince !== null;
  return {
    ...rest,
    planName: present.plan.name,
    terms: effectiveTerms(present.plan, present.overrides),
    pendingPlan: pending && {
      planId: pending.plan.id,
      planName: pending.plan.name,
      overrides: pending.overrides,
      terms: effectiveTerms(pending.plan, pending.overrides),
      at: row.currentPeriodEnd,
    },
    suspendsAt: isCounting && row.pastDueSince ? new Date(row.pastDueSince.getTime() + suspendAfterDays * DAY_MS) : null,
    clockPaused: clockPausedAt && clockPausedReason ? { at: clockPausedAt, reason: clockPausedReason } : null,
  };
}
