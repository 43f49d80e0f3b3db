import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { FEATURE_NAMES, type PlanFeature } from '../../shared/plan-labels.ts';
import type { PlanRequest, StaffPlan } from '../../queries/plans.ts';

/** What staff decide beside the yes. Numbers as typed; empty means: as the plan says. */
export type Approval = {
  planId: string | undefined;
  slug: string;
  trialDays: string;
  seats: string;
  clients: string;
  credits: string;
  /** Features that differ from the plan's. */
  features: Partial<Record<PlanFeature, boolean>>;
  note: string;
};

const asText = (count: number | undefined | null): string => (count === undefined || count === null ? '' : String(count));

/** Where the form starts: the plan asked for (else the trial's, else the one the agency is on), and an agency's wishes as its own terms. */
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
    seats: asText(seats),
    clients: asText(clients),
    credits: asText(credits),
    features: Object.fromEntries(
      FEATURE_NAMES.filter((name) => features.includes(name) && plan?.features[name] !== true).map((name) => [name, true]),
    ),
    note: '',
  };
}

/** The request's body: only what differs from the plan is named. */
export function toApproval(values: Approval & { planId: string }, plan: StaffPlan | undefined, isApplication: boolean) {
  const overrides = {
    ...(values.seats.trim() ? { includedSeats: Number(values.seats) } : {}),
    ...(values.clients.trim() ? { includedClients: Number(values.clients) } : {}),
    ...(values.credits.trim() ? { monthlyCredits: Number(values.credits) } : {}),
    ...(Object.keys(values.features).length > 0 ? { features: values.features } : {}),
  };
  return {
    planId: values.planId,
    ...(Object.keys(overrides).length > 0 ? { overrides } : {}),
    ...(isApplication ? { slug: values.slug.trim() } : {}),
    ...(plan?.isTrial && values.trialDays.trim() ? { trialDays: Number(values.trialDays) } : {}),
    ...(values.note.trim() ? { note: values.note.trim() } : {}),
  };
}

/** A feature ticked as the plan has it is no term of its own. */
export function withFeature(values: Approval, name: PlanFeature, on: boolean, plan: StaffPlan | undefined): Approval['features'] {
  const { [name]: _before, ...others } = values.features;
  return plan?.features[name] === on ? others : { ...others, [name]: on };
}
