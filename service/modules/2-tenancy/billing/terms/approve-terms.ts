import type { Overrides } from '@partner-portal/core/billing/terms.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { onOpenPeriod } from '../open-period.ts';
import { rollOver } from '../periods/roll-over.ts';
import { changeTerms, changeTrial, findTarget } from './change-terms.ts';
import { loadTerms } from './load-terms.ts';
import { lockSubscription } from './update-subscription.ts';

export type ApprovedTerms = { partnerId: string; planId: string; overrides: Overrides; trialEndsAt: Date | null };

/**
 * Applies the terms of an approved request in the caller's transaction: up at once, down at the end of the period. Call it within
 * `withOpenPeriod`. Refuses `not_found` for the partner or the plan, and like `changeTerms`.
 */
export async function approveTerms(tx: SystemTx, caller: RequestContext, approved: ApprovedTerms): Promise<void> {
  const { now, actor } = caller;
  const { partnerId, planId, overrides, trialEndsAt } = approved;
  const row = await lockSubscription(tx, partnerId, now);
  const loaded = await loadTerms(tx, row);
  const target = await findTarget(tx, loaded, { planId, overrides });
  if (target.plan.isTrial && trialEndsAt === null) return refuseField('planId', 'trial_plan', 'A trial plan cannot be paid for.');
  const changes =
    trialEndsAt === null ? await changeTerms(tx, loaded, target, { now }) : await changeTrial(tx, loaded, target, { now, trialEndsAt });
  await recordAudit(tx, {
    partnerId,
    actor,
    action: 'billing.subscription_changed',
    target: { type: 'partner', id: partnerId, label: row.partnerName },
    changes,
    origin: originOf(caller),
  });
}

/** Runs what changes terms; `run` opens the transaction. A subscription whose period has ended is rolled over first. */
export function withOpenPeriod<T>(db: Database, now: Date, run: () => Promise<T>): Promise<T> {
  return onOpenPeriod({ rollOver: (partnerId, at) => rollOver(db, partnerId, at) }, now, run);
}
