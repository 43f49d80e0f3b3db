import type { Excess } from '@partner-portal/core/billing/plan-change.ts';
import { needsUse, type RollOver, rollOver as decide } from '@partner-portal/core/billing/roll-over.ts';
import { effectiveTerms } from '@partner-portal/core/billing/terms.ts';
import { seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { countSeats } from '#modules/2-tenancy/invitations/index.ts';
import { subscriptionSuspended } from '../facts.ts';
import { storeDraft } from './draft-invoice.ts';
import { findTax, listWaitingLines } from './store-drafts.ts';
import {
  beginPeriod,
  countClients,
  type EndedSubscription,
  endSubscription,
  keepMonthlyCredits,
  lockEndedPeriod,
  type StoredTerms,
} from './store-roll-over.ts';

/**
 * Moves a subscription into the period of `now`: each missed period in turn, in a transaction of its own. Returns how many ended. Processes
 * that do the same wait for each other and find nothing left to do.
 */
export async function rollOver(db: Database, partnerId: string, now: Date): Promise<number> {
  for (let ended = 0; ;) {
    const result = await db.asSystem('sweep', (tx) => endPeriod(tx, partnerId, now));
    if (result === 'none') return ended;
    ended += 1;
    if (result === 'last') return ended;
  }
}

/** Ends one period. Returns whether it had ended, and whether it was the last one to end. */
async function endPeriod(tx: SystemTx, partnerId: string, now: Date): Promise<'none' | 'last' | 'more'> {
  // Sent together: the reads see what is there once the locks are held.
  const [ended, waiting, tax] = await Promise.all([
    lockEndedPeriod(tx, partnerId, now),
    listWaitingLines(tx, partnerId),
    findTax(tx, partnerId),
  ]);
  if (!ended) return 'none';
  const [present, pending] = [namedTerms(ended.present), ended.pending && namedTerms(ended.pending)];
  const facts = {
    status: ended.status,
    period: { start: ended.periodStart, end: ended.periodEnd },
    anchor: ended.periodAnchor,
    present,
    pending,
    cancelAt: ended.cancelAt,
    purchasedSeats: ended.purchasedSeats,
    purchasedBeyond: ended.purchasedBeyond,
    grantedSeats: ended.grantedSeats,
    releasedSeats: ended.releasedSeats,
    deletionApproved: ended.deletionApproved,
  };
  const used = needsUse(facts) ? await readUse(tx, partnerId, now) : { clients: 0, seats: 0 };
  const next = decide({ ...facts, used });
  const order = {
    partnerId,
    currency: ended.currency,
    period: next.kind === 'continued' ? next.period : null,
    recurring: next.kind === 'continued' ? next.lines : [],
    now,
  };
  const [invoiceId] = await Promise.all([storeDraft(tx, order, { waiting, tax }), store(tx, partnerId, ended, next)]);
  await recordAudit(tx, {
    partnerId,
    actor: { kind: 'system' },
    action: 'billing.period_ended',
    target: { type: 'partner', id: partnerId, label: ended.partnerName },
    changes: { ...changesOf(ended, next), ...(invoiceId === null ? {} : { invoiceId: [null, invoiceId] }) },
  });
  if (next.kind === 'continued' && typeof next.change === 'object' && ended.pending)
    await recordAudit(tx, {
      partnerId,
      actor: { kind: 'system' },
      action: 'billing.plan_kept',
      target: {
        type: 'plan',
        id: ended.pending.planId,
        label: ended.pending.planId === ended.present.planId ? 'other terms' : ended.pending.planName,
      },
      changes: { note: [null, next.change.refused.map(describeExcess).join(', ')] },
    });
  if (next.kind === 'continued') return next.period.end <= now ? 'more' : 'last';
  await recordFact(tx, subscriptionSuspended, {
    partnerId,
    reason: 'The subscription was cancelled and its last period has ended.',
    at: now,
  });
  return 'last';
}

async function store(tx: SystemTx, partnerId: string, ended: EndedSubscription, next: RollOver): Promise<void> {
  if (next.kind === 'ended') return endSubscription(tx, partnerId, next.purchasedSeats);
  const { planId, overrides } = next.change === 'applied' && ended.pending ? ended.pending : ended.present;
  const { period, purchasedSeats, change, terms } = next;
  await Promise.all([
    beginPeriod(tx, { partnerId, start: period.start, end: period.end, planId, overrides, purchasedSeats }),
    // The meter had the new terms' credits already.
    ...(typeof change === 'object' ? [keepMonthlyCredits(tx, partnerId, period.start, terms.terms.monthlyCredits)] : []),
  ]);
}

async function readUse(tx: SystemTx, partnerId: string, now: Date): Promise<{ clients: number; seats: number }> {
  const [seats, clients] = await Promise.all([countSeats(tx, partnerId, now), countClients(tx, partnerId)]);
  return { clients, seats: seatsUsed(seats) };
}

function namedTerms({ planName, plan, overrides }: StoredTerms) {
  return { planName, terms: effectiveTerms(plan, overrides) };
}

/** As people read it. */
function describeExcess({ what, used, limit }: Excess): string {
  return `${used} ${used === 1 ? what.slice(0, -1) : what} in use, ${limit} included`;
}

/** The audit entry of the roll-over, by field. */
function changesOf(ended: EndedSubscription, next: RollOver): Record<string, [unknown, unknown]> {
  const { purchasedSeats } = next;
  const seats: Record<string, [unknown, unknown]> =
    purchasedSeats === ended.purchasedSeats ? {} : { purchasedSeats: [ended.purchasedSeats, purchasedSeats] };
  if (next.kind === 'ended') return { status: [ended.status, 'cancelled'], ...seats };
  const { period, change, terms } = next;
  return {
    currentPeriodEnd: [ended.periodEnd, period.end],
    ...seats,
    ...(change === 'applied' ? { plan: [ended.present.planName, terms.planName] } : {}),
    ...(typeof change === 'object'
      ? {
          pendingPlan: [ended.pending?.planName, null],
          exceeds: [null, change.refused.map(({ what, used, limit }) => `${used} of ${limit} ${what}`).join(', ')],
        }
      : {}),
  };
}
