import { composeInvoice } from '@partner-portal/core/billing/next-invoice.ts';
import { rollOver } from '@partner-portal/core/billing/roll-over.ts';
import { describeQuota, noQuota } from '@partner-portal/core/quota/quota.ts';
import { seatsFree, seatsUsed } from '@partner-portal/core/people/seats.ts';
import type { Tx } from '#platform/db/tx.ts';
import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';
import { listWaitingLines } from '../periods/store-drafts.ts';
import { type LoadedSubscription, loadTerms, namedTerms, readUse } from './load-terms.ts';
import type { TermsDeps } from './deps.ts';
import { findProfile, findSubscription, type Profile, type SubscriptionRow } from './store.ts';
import { toSubscription } from './to-record.ts';

/** Runs one transaction for the agency of the caller, or the one staff name; also while it is suspended. */
export function onSubscription<T>(
  deps: TermsDeps,
  { actor }: RequestContext,
  requested: string | undefined,
  fn: (tx: Tx, row: SubscriptionRow) => Promise<T>,
): Promise<T> {
  return inScope(deps.db, actor, requested, async (tx, partnerId) => {
    if (partnerId === null) return refuse('invalid_query', { detail: 'Specify the agency: partnerId is missing.' });
    const row = await findSubscription(tx, partnerId);
    return row ? fn(tx, row) : refuse('not_found');
  });
}

/** Returns plan, terms, seats, credits and the next invoice of an agency. */
export async function readBilling(deps: TermsDeps, context: RequestContext, requested: string | undefined) {
  const { now, actor } = context;
  return onSubscription(deps, context, requested, async (tx, row) => {
    const { partnerId } = row;
    const [loaded, { seats, used }, quota, profile, waiting] = [
      await loadTerms(tx, row),
      await readUse(tx, partnerId, now),
      await rollAndReadQuota(tx, partnerId, now),
      await findProfile(tx, partnerId),
      await listWaitingLines(tx, partnerId),
    ];
    const view = describeQuota(quota ?? noQuota(now), now);
    const { taxRateBasisPoints, taxNote, ...settings } = profile;
    return {
      partnerId,
      plan: loaded.present.plan,
      // The meter may just have closed a period.
      subscription: toSubscription(
        { ...loaded, row: { ...row, purchasedCredits: view.purchased } },
        { used, suspendAfterDays: deps.suspendAfterDays, reader: actor },
      ),
      seats: {
        included: seats.included,
        purchased: seats.purchased,
        used: seatsUsed(seats),
        pendingInvites: seats.pendingInvites,
        free: seatsFree(seats),
      },
      credits: {
        monthly: view.monthly,
        purchased: view.purchased,
        used: view.used,
        remaining: view.remaining,
        periodStart: view.periodStart,
        resetsAt: view.resetsAt,
        endsAt: view.endsAt,
        forecast: view.forecastDate,
      },
      nextInvoice: nextInvoice(loaded, { used, profile, waiting }),
      settings,
      tax: { rateBasisPoints: taxRateBasisPoints, note: taxNote },
    };
  });
}

/** Returns the draft that the roll-over at the end of the period would make now; null when nothing will be charged. */
function nextInvoice(
  { row, present, pending }: LoadedSubscription,
  facts: { used: { clients: number; seats: number }; profile: Profile; waiting: Awaited<ReturnType<typeof listWaitingLines>> },
) {
  const isOver = row.status === 'expired' || row.status === 'cancelled';
  const next = rollOver({
    status: row.status,
    period: { start: row.currentPeriodStart, end: row.currentPeriodEnd },
    anchor: row.periodAnchor,
    present: namedTerms(present),
    pending: pending && namedTerms(pending),
    cancelAt: row.cancelAt,
    purchasedSeats: row.purchasedSeats,
    purchasedBeyond: row.purchasedBeyond,
    grantedSeats: row.grantedSeats,
    releasedSeats: row.pendingSeatRelease,
    deletionApproved: row.suspensionCause === 'deletion_approved',
    used: facts.used,
  });
  const recurring = isOver || next.kind === 'ended' ? [] : next.lines;
  const draft = composeInvoice(recurring, facts.waiting, facts.profile.taxRateBasisPoints);
  if (!draft) return null;
  const { lines, subtotalMinor, taxMinor, totalMinor } = draft;
  return { at: row.currentPeriodEnd, currency: row.currency, lines, subtotalMinor, taxMinor, totalMinor };
}
