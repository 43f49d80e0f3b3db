import type { Overrides, PlanFeatures } from '@partner-portal/core/billing/terms.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { findPlans } from '#modules/2-tenancy/plans/index.ts';
import { decideChange, isEndedTrial, TRIAL_PLAN_ENDED } from './change-terms.ts';
import type { TermsDeps } from './deps.ts';
import { loadTerms } from './load-terms.ts';
import { onSubscription } from './read-billing.ts';
import { findProfile } from './store.ts';

/** Overrides are flat, as in a query string: features are on the same level as the numbers. */
export type Preview = Omit<Overrides, 'features'> & {
  [Name in keyof PlanFeatures]?: PlanFeatures[Name] | undefined;
} & { planId?: string | undefined; partnerId?: string | undefined };

/**
 * Returns what a change to a plan would charge and change, without changing anything; without a plan, what other overrides would, which leave
 * pending terms as they are. Agencies see public plans without overrides and their own with what was agreed; staff any active plan, with those they name.
 */
export async function previewChange(deps: TermsDeps, context: RequestContext, { planId, partnerId, ...named }: Preview) {
  const isStaff = context.actor.role === 'ADMIN';
  return onSubscription(deps, context, partnerId, async (tx, row) => {
    const loaded = await loadTerms(tx, row);
    const [plan] = await findPlans(tx, [planId ?? row.planId]);
    const isOwn = plan?.id === row.planId;
    if (!plan || !(isOwn || (plan.isActive && (isStaff || plan.isPublic))))
      return refuse('not_found', { detail: 'No such plan is available.' });
    if (plan.currency !== row.currency && row.status !== 'trialing' && row.status !== 'expired')
      return refuse('invalid_state', { detail: `This agency is invoiced in ${row.currency}, and the plan is priced in ${plan.currency}.` });
    const target = { plan, overrides: isStaff ? overridesOf(named) : isOwn ? loaded.present.overrides : {} };
    if (isEndedTrial(loaded, target)) return refuse('invalid_state', { detail: TRIAL_PLAN_ENDED });
    const {
      newPeriod: _newPeriod,
      billedSeats: purchasedSeats,
      ...change
    } = await decideChange(tx, loaded, target, {
      now: context.now,
      keepsPending: planId === undefined,
    });
    const { taxRateBasisPoints } = await findProfile(tx, row.partnerId);
    return { ...change, purchasedSeats, currency: plan.currency, taxRateBasisPoints };
  });
}

function overridesOf(named: Omit<Preview, 'planId' | 'partnerId'>): Overrides {
  const { sso, chatbot, customTemplates, aiPlatformKeys, customDomain, auditRetentionDays, ...numbers } = named;
  return { ...numbers, features: { sso, chatbot, customTemplates, aiPlatformKeys, customDomain, auditRetentionDays } };
}
