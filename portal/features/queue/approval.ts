import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { FEATURE_NAMES } from '../../shared/plan-labels.ts';
import { NO_OVERRIDES, type OverrideValues, toOverrides } from '../../shared/overrides.ts';
import type { PlanRequest, StaffPlan } from '../../queries/plans.ts';

/** Form values of an approval. Numbers as typed; empty means the plan's value. */
export type Approval = OverrideValues & { planId: string | undefined; slug: string; trialDays: string; note: string };

const asText = (count: number | undefined | null): string => (count === undefined || count === null ? '' : String(count));

/** Initial values: the requested plan (else the trial's, else the current one), with requested terms as overrides. */
export function startOf(request: PlanRequest, plans: readonly StaffPlan[], currentPlan: string | undefined): Approval {
  const open = plans.filter((plan) => plan.isActive);
  const plan =
    open.find((one) => one.id === request.planId) ?? open.find((one) => (request.kind === 'trial' ? one.isTrial : one.id === currentPlan));
  const isAgency = request.partnerId !== null;
  const { seats, clients, credits, features = [] } = isAgency ? request.desired : {};
  return {
    planId: plan?.id,
    slug: isAgency ? '' : slugOf(request.applicant.companyName),
    trialDays: asText(plan?.isTrial ? plan.trialDays : undefined),
    ...NO_OVERRIDES,
    seats: asText(seats),
    clients: asText(clients),
    credits: asText(credits),
    features: Object.fromEntries(
      FEATURE_NAMES.filter((name) => features.includes(name) && plan?.features[name] !== true).map((name) => [name, true]),
    ),
    note: '',
  };
}

/** Returns the request body with differences from the plan only. */
export function toApproval(values: Approval & { planId: string }, plan: StaffPlan | undefined, isApplication: boolean) {
  const overrides = toOverrides(values, plan?.currency ?? 'USD');
  return {
    planId: values.planId,
    ...(Object.keys(overrides).length > 0 ? { overrides } : {}),
    ...(isApplication ? { slug: values.slug.trim() } : {}),
    ...(plan?.isTrial && values.trialDays.trim() ? { trialDays: Number(values.trialDays) } : {}),
    ...(values.note.trim() ? { note: values.note.trim() } : {}),
  };
}
