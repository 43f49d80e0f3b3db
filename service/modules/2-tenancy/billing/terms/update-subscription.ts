import { pastDueAfterPause } from '@partner-portal/core/billing/collection.ts';
import { taxOn } from '@partner-portal/core/billing/money.ts';
import { isPaidFor } from '@partner-portal/core/billing/purchase.ts';
import type { BodyOf } from '@partner-portal/contract/define-route.ts';
import type { routes } from '@partner-portal/contract/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { subscriptionRestored, subscriptionSuspended } from '../facts.ts';
import { onOpenPeriod, requireOpenPeriod } from '../open-period.ts';
import { isOverdue } from '../periods/store-collection.ts';
import { type Changes, changeTerms, changeTrial, findTarget, isEndedTrial, TRIAL_PLAN_ENDED } from './change-terms.ts';
import type { TermsDeps } from './deps.ts';
import { loadTerms } from './load-terms.ts';
import { readSubscription } from './read-subscription.ts';
import { findProfile, findSubscription, lockTerms, type SubscriptionRow } from './store.ts';
import { lockDrafts, writeClockPause, writeDraftTax, writePeriodEnd, writeStatus, writeTax } from './store-change.ts';

export type SubscriptionChange = BodyOf<(typeof routes)['updateSubscription']>;

/** The furthest end of a period that staff may set. */
const PERIOD_DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Changes the terms, the state, the period, the tax or the payment clock of an agency, as staff. */
export async function updateSubscription(deps: TermsDeps, context: RequestContext, partnerId: string, change: SubscriptionChange) {
  const { actor, now } = context;
  return onOpenPeriod(deps, now, () =>
    deps.db.asStaff(actor, async (tx) => {
      // Invoices are locked before the subscription.
      if (namesTax(change)) await lockDrafts(tx, partnerId);
      const row = await lockSubscription(tx, partnerId, now);
      requireMatch(context.header('if-match'), row.updatedAt);
      const changes = { ...(await applyTerms(tx, row, change, now)), ...(await applyRest(tx, row, change, now)) };
      if (Object.keys(changes).length > 0)
        await recordAudit(tx, {
          partnerId,
          actor,
          action: 'billing.subscription_changed',
          target: { type: 'partner', id: partnerId, label: row.partnerName },
          changes,
          origin: originOf(context),
        });
      return readSubscription(tx, partnerId, deps.suspendAfterDays, context);
    }),
  );
}

/** Locks the subscription of an open period. Call it within `onOpenPeriod`. Refuses `not_found`. */
export async function lockSubscription(tx: SystemTx, partnerId: string, now: Date): Promise<SubscriptionRow> {
  const row = await lockTerms(tx, partnerId);
  if (!row) return refuse('not_found');
  requireOpenPeriod({ ...row, periodEnd: row.currentPeriodEnd }, now);
  return row;
}

/** Plan and overrides; a plan without overrides has none. */
async function applyTerms(tx: SystemTx, row: SubscriptionRow, change: SubscriptionChange, now: Date): Promise<Changes> {
  const { planId, overrides } = change;
  const isRevived = change.status === 'active' && (row.status === 'expired' || row.status === 'cancelled' || row.status === 'trialing');
  if (planId === undefined && overrides === undefined && !isRevived) return {};
  // `active` withdraws a cancellation, which is written with the status.
  const loaded = await loadTerms(tx, change.status === 'active' ? { ...row, cancelAt: null } : row);
  const isAsBefore = planId === undefined || planId === row.planId;
  const wanted = { planId: planId ?? row.planId, overrides: overrides ?? (isAsBefore ? row.overrides : {}) };
  const target = await findTarget(tx, loaded, wanted);
  // A trial on other overrides goes on; a plan to pay for ends it.
  if (row.status === 'trialing' && row.trialEndsAt && (planId === undefined || (isAsBefore && target.plan.isTrial)) && !isRevived)
    return changeTrial(tx, loaded, target, { now, trialEndsAt: row.trialEndsAt });
  if (target.plan.isTrial && target.plan.id !== row.planId)
    return refuseField('planId', 'trial_plan', 'A trial plan cannot be paid for. Choose another one.');
  if ((isRevived && target.plan.isTrial) || isEndedTrial(loaded, target)) return refuseField('planId', 'missing', TRIAL_PLAN_ENDED);
  return changeTerms(tx, loaded, target, { now, keepsPending: planId === undefined });
}

async function applyRest(tx: SystemTx, before: SubscriptionRow, change: SubscriptionChange, now: Date): Promise<Changes> {
  const read = async (): Promise<SubscriptionRow> => (await findSubscription(tx, before.partnerId)) ?? before;
  const clock = change.clockPausedReason === undefined ? {} : await pauseClock(tx, await read(), change.clockPausedReason, now);
  // Read after the clock, which may have moved the time since when payment is past due.
  const row = await read();
  return {
    ...clock,
    ...(change.status === undefined ? {} : await changeStatus(tx, row, change, now)),
    ...(change.currentPeriodEnd === undefined ? {} : await movePeriodEnd(tx, row, new Date(change.currentPeriodEnd), now)),
    ...(await changeTax(tx, row.partnerId, change)),
  };
}

/** Pauses the payment clock with a reason, or lets it run again. Another reason changes no time: the pause began with the first one. */
async function pauseClock(tx: SystemTx, row: SubscriptionRow, reason: string | null, now: Date): Promise<Changes> {
  if (reason === row.clockPausedReason) return {};
  await writeClockPause(tx, row.partnerId, reason === null ? null : { at: row.clockPausedAt ?? now, reason });
  if (reason === null && row.clockPausedAt !== null) {
    const { status, cancelAt } = row;
    await writeStatus(tx, row.partnerId, { status, cancelAt, pastDueSince: pastDueAfterPause(row.pastDueSince, row.clockPausedAt, now) });
  }
  const [wasPaused, isPaused] = [row.clockPausedReason !== null, reason !== null];
  return {
    ...(wasPaused === isPaused ? {} : { clockPaused: [wasPaused, isPaused] }),
    internalNotes: [row.clockPausedReason, reason],
  };
}

/** Statuses that staff may set by hand. `cancelled` takes effect at the end of the period; `active` withdraws that. */
async function changeStatus(tx: SystemTx, row: SubscriptionRow, change: SubscriptionChange, now: Date): Promise<Changes> {
  const { partnerId } = row;
  if (!isPaidFor(row.status)) return refuse('invalid_state', { detail: `This subscription is ${row.status}. Change its plan instead.` });
  const stays = { status: row.status, cancelAt: row.cancelAt, pastDueSince: row.pastDueSince };
  switch (change.status) {
    case undefined:
      return {};
    case 'cancelled':
      await writeStatus(tx, partnerId, { ...stays, cancelAt: row.currentPeriodEnd });
      return row.cancelAt === null ? { cancelAt: [null, row.currentPeriodEnd] } : {};
    case 'past_due':
      if (row.status !== 'active') return refuse('invalid_state', { detail: `This subscription is already ${row.status}.` });
      await writeStatus(tx, partnerId, { ...stays, status: 'past_due', pastDueSince: now });
      return { status: [row.status, 'past_due'] };
    case 'suspended':
      if (row.status === 'suspended') return {};
      await writeStatus(tx, partnerId, { ...stays, status: 'suspended', pastDueSince: row.pastDueSince ?? now });
      await recordFact(tx, subscriptionSuspended, { partnerId, reason: 'Invoices of this agency are unpaid.', at: now });
      return { status: [row.status, 'suspended'] };
    case 'active': {
      if (row.status === 'active' && row.cancelAt === null) return {};
      const isPaused = change.clockPausedReason === undefined ? row.clockPausedAt !== null : change.clockPausedReason !== null;
      if (row.status !== 'active' && !isPaused && (await isOverdue(tx, partnerId, now)))
        return refuse('invalid_state', { detail: 'Invoices are overdue. Record their payment, or pause the payment clock with a reason.' });
      await writeStatus(tx, partnerId, { status: 'active', cancelAt: null, pastDueSince: null });
      if (row.status === 'suspended') await recordFact(tx, subscriptionRestored, { partnerId, at: now });
      return {
        ...(row.status === 'active' ? {} : { status: [row.status, 'active'] }),
        ...(row.cancelAt === null ? {} : { cancelAt: [row.cancelAt, null] }),
      };
    }
  }
}

/** The new end anchors the periods after it. Nothing is charged or credited for the difference. */
async function movePeriodEnd(tx: SystemTx, row: SubscriptionRow, end: Date, now: Date): Promise<Changes> {
  if (end <= now) return refuseField('currentPeriodEnd', 'in_the_past', 'The period has to end in the future.');
  if (end.getTime() - now.getTime() > PERIOD_DAYS_MAX * DAY_MS)
    return refuseField('currentPeriodEnd', 'too_far', `The period has to end within ${PERIOD_DAYS_MAX} days.`);
  if (end.getTime() === row.currentPeriodEnd.getTime()) return {};
  await writePeriodEnd(tx, row.partnerId, end);
  return { currentPeriodEnd: [row.currentPeriodEnd, end] };
}

const namesTax = ({ taxRateBasisPoints, taxNote }: SubscriptionChange): boolean =>
  taxRateBasisPoints !== undefined || taxNote !== undefined;

/** Drafts show the tax with which they will be issued. */
async function changeTax(tx: SystemTx, partnerId: string, change: SubscriptionChange): Promise<Changes> {
  const { taxRateBasisPoints, taxNote } = change;
  if (!namesTax(change)) return {};
  const before = await findProfile(tx, partnerId);
  const after = {
    rateBasisPoints: taxRateBasisPoints ?? before.taxRateBasisPoints,
    note: taxNote === undefined ? before.taxNote : taxNote,
  };
  await writeTax(tx, partnerId, after);
  const drafts = await lockDrafts(tx, partnerId);
  const taxed = drafts.map(({ id, subtotalMinor }) => ({ id, taxMinor: taxOn(subtotalMinor, after.rateBasisPoints) }));
  await writeDraftTax(tx, after, taxed);
  return {
    ...(after.rateBasisPoints === before.taxRateBasisPoints
      ? {}
      : { taxRateBasisPoints: [before.taxRateBasisPoints, after.rateBasisPoints] }),
    ...(after.note === before.taxNote ? {} : { taxNote: [before.taxNote, after.note] }),
  };
}
