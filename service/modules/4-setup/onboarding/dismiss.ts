import { stepTitle } from '@partner-portal/core/onboarding/onboarding.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { describeOnboarding, type OnboardingDeps } from './read-onboarding.ts';
import { addDismissal, removeDismissal } from './store.ts';

/** Hides a first step of the agency, or shows it again. Doing it twice changes nothing. */
export function dismissStep(deps: OnboardingDeps, context: RequestContext, key: string, isDismissed: boolean) {
  const { actor, now } = context;
  return deps.db.asTenant(actor, async (tx) => {
    const changed = isDismissed
      ? await addDismissal(tx, actor.partnerId, key, actor.userId)
      : await removeDismissal(tx, actor.partnerId, key);
    if (changed)
      await recordAudit(tx, {
        partnerId: actor.partnerId,
        actor,
        action: isDismissed ? 'onboarding.dismissed' : 'onboarding.restored',
        target: { type: 'onboarding', id: key, label: titleOf(key) },
        origin: originOf(context),
      });
    return describeOnboarding(deps, tx, actor.partnerId, now);
  });
}

const titleOf = (key: string): string => (key === 'all' ? 'the first steps' : `“${stepTitle(key)}”`);
