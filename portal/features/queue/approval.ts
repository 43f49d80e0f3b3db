import { PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { FEATURE_NAMES } from '../../shared/plan-labels.ts';
import { NO_OVERRIDES, type OverrideValues, overrideValues, toOverrides, withFeature } from '../../shared/overrides.ts';
import type { Subscription } from '../../queries/billing.ts';
import type { PlanRequest, StaffPlan } from '../../queries/plans.ts';

/** Form values of an approval. Numbers as typed; empty means the plan's value. */
export type Approval = OverrideValues & { planId: string | undefined; slug: string; trialDays: string; note: string };

const asText = (count: number | undefined | null): string => (count === undefined || count === null ? '' : String(count));

export type Terms = Pick<Subscription, 'planId' | 'overrides'>;

/** Plans to choose from. A retired one can be kept by the agency that is on it. */
export function offeredPlans(plans: readonly StaffPlan[], present: Terms | undefined): StaffPlan[] {
  return plans.filter((plan) => plan.isActive || plan.id === present?.planId);
}

/**
 * Initial values: the requested plan (else the trial's, else the present one), with the terms of `overridesOn`. `present` are the agency's;
 * undefined for an applicant.
 */
export function startOf(request: PlanRequest, plans: readonly StaffPlan[], present: Terms | undefined): Approval {
  const open = offeredPlans(plans, present);
  const plan =
    open.find((one) => one.id === request.planId) ??
    open.find((one) => (request.kind === 'trial' ? one.isTrial : one.id === present?.planId));
  return {
    planId: plan?.id,
    slug: request.partnerId === null ? slugOf(request.applicant.companyName) : '',
    trialDays: asText(plan?.isTrial ? plan.trialDays : undefined),
    ...overridesOn(plan, request, present),
    note: '',
  };
}

/**
 * The overrides that an approval on this plan begins with: what the agency requests, over what it has. An approval replaces all overrides
 * (PLAN-9), and those of another plan do not carry over (BILL-8). What an applicant expects is no override.
 */
export function overridesOn(plan: StaffPlan | undefined, request: PlanRequest, present: Terms | undefined): OverrideValues {
  const own = plan && plan.id === present?.planId ? overrideValues(present.overrides, plan.currency) : NO_OVERRIDES;
  if (request.partnerId === null) return own;
  const { seats, clients, credits, features = [] } = request.desired;
  return {
    ...own,
    seats: asText(seats) || own.seats,
    clients: asText(clients) || own.clients,
    credits: asText(credits) || own.credits,
    features: FEATURE_NAMES.filter((name) => features.includes(name)).reduce(
      (before, name) => withFeature(before, name, true, plan),
      own.features,
    ),
  };
}

/** Whether the agency has overrides that it loses by an approval on this plan. */
export function losesOverrides(planId: string | undefined, present: Terms | undefined): boolean {
  return present !== undefined && planId !== undefined && planId !== present.planId && Object.keys(present.overrides).length > 0;
}

/** Returns what the requested plan cost a month when the agency asked for it; null unless it costs something else now. */
export function priceWhenAsked({ planId, desired }: PlanRequest, plan: StaffPlan | undefined): number | null {
  const { monthlyPriceMinor: asked = null } = desired;
  return plan && plan.id === planId && asked !== plan.monthlyPriceMinor ? asked : null;
}

/** Returns the request body with differences from the plan only. */
export function toApproval(values: Approval & { planId: string }, plan: StaffPlan | undefined, isApplication: boolean) {
  const overrides = toOverrides(values, plan?.currency ?? PRESET_CURRENCY);
  return {
    planId: values.planId,
    ...(Object.keys(overrides).length > 0 ? { overrides } : {}),
    ...(isApplication ? { slug: values.slug.trim() } : {}),
    ...(plan?.isTrial && values.trialDays.trim() ? { trialDays: Number(values.trialDays) } : {}),
    ...(values.note.trim() ? { note: values.note.trim() } : {}),
  };
}
