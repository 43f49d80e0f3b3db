import { manualChangeObstacle } from '@partner-portal/core/account/account.ts';
import { chargedAt, creditWithin } from '@partner-portal/core/billing/charged.ts';
import { planChange, type PlanChange } from '@partner-portal/core/billing/plan-change.ts';
import { effectiveTerms } from '@partner-portal/core/billing/terms.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';
import { findPlans } from '#modules/2-tenancy/plans/index.ts';
import { subscriptionRestored } from '../facts.ts';
import { draftInvoice } from '../periods/draft-invoice.ts';
import { type LoadedSubscription, namedTerms, readUse, type TermsOnPlan } from './load-terms.ts';
import { listCharged } from './store.ts';
import {
  endMeter,
  hasCharges,
  insertWaitingLines,
  writeBegin,
  writeMonthlyCredits,
  writePendingTerms,
  writeTerms,
  writeTrial,
} from './store-change.ts';

export type Changes = Record<string, [unknown, unknown]>;

/**
 * Returns what a change to these terms would charge and change, and when. `keepsPending`: it is one of the overrides alone, which is refused as
 * `invalid_state` while a cancellation waits for the end of the period.
 */
export async function decideChange(
  tx: Tx,
  loaded: LoadedSubscription,
  target: TermsOnPlan,
  { now, keepsPending = false }: { now: Date; keepsPending?: boolean },
): Promise<PlanChange> {
  const { row } = loaded;
  const { used } = await readUse(tx, row.partnerId, now);
  const period = { start: row.currentPeriodStart, end: row.currentPeriodEnd };
  const charged = await listCharged(tx, row.partnerId, period.start);
  const decided = planChange({
    now,
    status: row.status,
    period,
    charged: chargedAt(charged, period),
    from: namedTerms(loaded.present),
    to: namedTerms(target),
    pending: loaded.pending && namedTerms(loaded.pending),
    keepsPending,
    purchasedSeats: row.purchasedSeats,
    purchasedBeyond: row.purchasedBeyond,
    releasedSeats: row.pendingSeatRelease,
    grantedSeats: row.grantedSeats,
    isCancelled: row.cancelAt !== null,
    used,
  });
  const lines = creditWithin(decided.lines, charged, period);
  const change = { ...decided, lines, dueNowMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0) };
  // Another plan says that the agency stays; one more seat until the end does not.
  if (keepsPending && change.withdrawsCancellation)
    return refuse('invalid_state', {
      detail: 'The subscription is cancelled at the end of its period. Withdraw that before its terms change.',
    });
  return change;
}

export const TRIAL_PLAN_ENDED = 'The trial plan cannot be paid for: name the plan that follows it.';

/** Whether other terms on its trial plan would begin a paid period, after the trial or the subscription ended. */
export function isEndedTrial({ row, present }: LoadedSubscription, { plan }: TermsOnPlan): boolean {
  return plan.isTrial && plan.id === present.plan.id && (row.status === 'expired' || row.status === 'cancelled');
}

/**
 * Returns the plan that terms are changed to. Refuses `not_found` for one that cannot be chosen, and `validation_failed` for one in another
 * currency than the subscription's, which is fixed once something was charged.
 */
export async function findTarget(
  tx: SystemTx,
  { row, present }: LoadedSubscription,
  target: { planId: string; overrides: TermsOnPlan['overrides'] },
) {
  const [plan] = await findPlans(tx, [target.planId]);
  if (!plan || (!plan.isActive && plan.id !== present.plan.id)) return refuse('not_found', { detail: 'No such plan is available.' });
  if (plan.currency !== row.currency && ((row.status !== 'trialing' && row.status !== 'expired') || (await hasCharges(tx, row.partnerId))))
    return refuseField(
      'planId',
      'other_currency',
      `This agency is invoiced in ${row.currency}, and the plan is priced in ${plan.currency}.`,
    );
  return { plan, overrides: target.overrides };
}

/**
 * Changes terms in the caller's transaction, which holds the subscription's lock. A move up holds at once, with its lines and the meter's
 * credits; a move down waits for the end of the period. Without a paid period one begins and its invoice is drafted. Returns what changed.
 * Refuses `client_limit_reached` or `seat_limit_reached` with what exceeds, and `invalid_state` for a paid period of an account that is to be deleted.
 */
export async function changeTerms(
  tx: SystemTx,
  loaded: LoadedSubscription,
  target: TermsOnPlan,
  options: { now: Date; keepsPending?: boolean },
): Promise<Changes> {
  const { row } = loaded;
  const { now } = options;
  const change = await decideChange(tx, loaded, target, options);
  refuseExcess(change);
  const terms = { partnerId: row.partnerId, planId: target.plan.id, overrides: target.overrides };
  const changes = describe(loaded, target, change);
  const { currency } = target.plan;
  if (change.newPeriod) {
    const obstacle = manualChangeObstacle(row);
    if (obstacle !== null) refuse('invalid_state', { detail: obstacle });
    await writeBegin(tx, { ...terms, purchasedSeats: change.purchasedSeats.after, currency, period: change.newPeriod });
    await restartMeter(tx, row.partnerId, now);
    await draftInvoice(tx, { partnerId: row.partnerId, currency, period: change.newPeriod, recurring: change.lines, now });
    if (row.status !== 'trialing') await recordFact(tx, subscriptionRestored, { partnerId: row.partnerId, at: now });
    return { status: [row.status, 'active'], ...changes };
  }
  if (change.direction === 'down') {
    await writePendingTerms(tx, terms, !change.withdrawsCancellation);
    return changes;
  }
  const [before, after] = [namedTerms(loaded.present).terms, namedTerms(target).terms];
  const purchasedBeyond = before.includedSeats === after.includedSeats ? null : before.includedSeats;
  const { keepsPending = false } = options;
  await writeTerms(tx, { ...terms, purchasedBeyond }, { keepsPending, keepsCancellation: !change.withdrawsCancellation });
  await insertWaitingLines(tx, { partnerId: row.partnerId, currency, at: now }, change.lines);
  if (bringsCredits(loaded, target)) await writeMonthlyCredits(tx, row.partnerId, after.monthlyCredits);
  return changes;
}

/** Whether a change brings its monthly credits at once. Those of an edited plan come with the next period. */
function bringsCredits({ present }: LoadedSubscription, target: TermsOnPlan): boolean {
  return present.plan.id !== target.plan.id || namedTerms(present).terms.monthlyCredits !== namedTerms(target).terms.monthlyCredits;
}

/** Closes the meter's periods up to now and begins one with the monthly credits of the subscription's terms: write those first. */
async function restartMeter(tx: SystemTx, partnerId: string, now: Date): Promise<void> {
  await rollAndReadQuota(tx, partnerId, now);
  await endMeter(tx, partnerId, now);
  await rollAndReadQuota(tx, partnerId, now);
}

/**
 * Continues a trial on other terms, or gives one to an agency whose trial has ended; with `isResumption` also to one whose subscription was
 * cancelled. Refuses `invalid_state` for a paying one.
 */
export async function changeTrial(
  tx: SystemTx,
  loaded: LoadedSubscription,
  target: TermsOnPlan,
  options: { now: Date; trialEndsAt: Date; isResumption?: boolean },
): Promise<Changes> {
  const { row } = loaded;
  const { now, trialEndsAt, isResumption = false } = options;
  if (row.status !== 'trialing' && row.status !== 'expired' && !(isResumption && row.status === 'cancelled'))
    return refuse('invalid_state', { detail: 'A trial is for agencies that do not pay yet. Choose a plan without one.' });
  const change = await decideChange(tx, loaded, target, { now });
  refuseExcess(change);
  const terms = { partnerId: row.partnerId, planId: target.plan.id, overrides: target.overrides };
  await writeTrial(tx, { ...terms, currency: target.plan.currency, trialEndsAt });
  if (row.status !== 'trialing') {
    // The trial before may have used all of its credits.
    await restartMeter(tx, row.partnerId, now);
    await recordFact(tx, subscriptionRestored, { partnerId: row.partnerId, at: now });
  } else if (bringsCredits(loaded, target))
    await writeMonthlyCredits(tx, row.partnerId, effectiveTerms(target.plan, target.overrides).monthlyCredits);
  return {
    ...(row.status === 'trialing' ? {} : { status: [row.status, 'trialing'] }),
    ...describeTerms(loaded.present, target),
    trialEndsAt: [row.trialEndsAt, trialEndsAt],
  };
}

function refuseExcess({ exceeds }: PlanChange): void {
  const [first] = exceeds;
  if (!first) return;
  const sentence = exceeds.map(({ what, used, limit }) => `${used} ${what} are in use, and ${limit} would be included`).join('; ');
  refuse(first.what === 'clients' ? 'client_limit_reached' : 'seat_limit_reached', {
    detail: `These terms are too small: ${sentence}.`,
    limit: first.limit,
    used: first.used,
    exceeds,
  });
}

function describe({ row, present, pending }: LoadedSubscription, target: TermsOnPlan, change: PlanChange): Changes {
  const withdrawn = change.withdrawsCancellation ? { cancelAt: [row.cancelAt, null] as [unknown, unknown] } : {};
  if (change.direction === 'down')
    return {
      ...withdrawn,
      pendingPlan: [pending?.plan.name ?? null, target.plan.name],
      pendingOverrides: [pending?.overrides ?? null, target.overrides],
      effectiveAt: [null, change.effectiveAt],
    };
  return {
    ...withdrawn,
    ...describeTerms(present, target),
    ...(change.newPeriod ? { currentPeriodEnd: [row.currentPeriodEnd, change.newPeriod.end] } : {}),
    ...(change.newPeriod && change.purchasedSeats.after !== row.purchasedSeats
      ? { purchasedSeats: [row.purchasedSeats, change.purchasedSeats.after] }
      : {}),
    ...(change.lines.length === 0 ? {} : { chargedMinor: [null, change.dueNowMinor] }),
  };
}

function describeTerms(present: TermsOnPlan, target: TermsOnPlan): Changes {
  return {
    ...(present.plan.id === target.plan.id ? {} : { plan: [present.plan.name, target.plan.name] }),
    ...(JSON.stringify(present.overrides) === JSON.stringify(target.overrides) ? {} : { overrides: [present.overrides, target.overrides] }),
  };
}
