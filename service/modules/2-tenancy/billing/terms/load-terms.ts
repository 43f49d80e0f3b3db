import type { NamedTerms } from '@partner-portal/core/billing/plan-change.ts';
import { effectiveTerms, type Overrides } from '@partner-portal/core/billing/terms.ts';
import { seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Tx } from '#platform/db/tx.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import { findPlans, type PlanRow } from '#modules/2-tenancy/plans/index.ts';
import { countClients } from '../periods/store-roll-over.ts';
import type { SubscriptionRow } from './store.ts';

/** A plan with the overrides that hold on it. */
export type TermsOnPlan = { plan: PlanRow; overrides: Overrides };

/** A subscription with the terms in force and those that wait for the end of its period. */
export type LoadedSubscription = { row: SubscriptionRow; present: TermsOnPlan; pending: TermsOnPlan | null };

/** Reads the plans of a subscription. */
export async function loadTerms(tx: Tx, row: SubscriptionRow): Promise<LoadedSubscription> {
  const plans = await findPlans(tx, row.pendingPlanId === null ? [row.planId] : [row.planId, row.pendingPlanId]);
  const on = (id: string, overrides: Overrides): TermsOnPlan => {
    const plan = plans.find((one) => one.id === id);
    if (!plan) throw new Error(`The plan ${id} of a subscription is missing.`);
    return { plan, overrides };
  };
  const pending = row.pendingPlanId === null ? null : on(row.pendingPlanId, row.pendingOverrides ?? {});
  return { row, present: on(row.planId, row.overrides), pending };
}

export function namedTerms({ plan, overrides }: TermsOnPlan): NamedTerms {
  return { planName: plan.name, terms: effectiveTerms(plan, overrides) };
}

/** Counts what limits are compared with: clients that count, and members with pending invitations. */
export async function readUse(tx: Tx, partnerId: string, now: Date) {
  const [seats, clients] = await Promise.all([countSeats(tx, partnerId, now), countClients(tx, partnerId)]);
  return { seats, used: { clients, seats: seatsUsed(seats) } };
}
