import { recurringLines } from '@partner-portal/core/billing/next-invoice.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { trialEnd } from '#modules/2-tenancy/partners/index.ts';
import { draftInvoice } from '../periods/draft-invoice.ts';
import { isOverdue } from '../periods/store-collection.ts';
import { changeTerms, changeTrial } from './change-terms.ts';
import { loadTerms, namedTerms } from './load-terms.ts';
import { findSubscription, lockTerms } from './store.ts';
import { writeStatus } from './store-change.ts';

/** Drafts the first invoice of new workspaces. A trial has none. */
export async function draftFirstInvoices(tx: SystemTx, opened: readonly { partnerId: string; at: Date }[]): Promise<void> {
  for (const { partnerId, at: now } of opened) {
    const row = await findSubscription(tx, partnerId);
    if (row?.status !== 'active') continue;
    const { planName, terms } = namedTerms((await loadTerms(tx, row)).present);
    const period = { start: row.currentPeriodStart, end: row.currentPeriodEnd };
    const recurring = recurringLines({ ...terms, planName, purchasedSeats: row.purchasedSeats }, period);
    await draftInvoice(tx, { partnerId, currency: row.currency, period, recurring, now });
  }
}

/**
 * Lets subscriptions follow accounts that staff resumed: an ended one begins a period on its plan, or on a trial plan, which
 * cannot be paid for, another trial of its length. A subscription that is past due, or suspended with overdue invoices, is past due from now, so
 * that it is not suspended again at once.
 */
export async function reviveSubscriptions(tx: SystemTx, resumed: readonly { partnerId: string; at: Date }[]): Promise<void> {
  for (const { partnerId, at: now } of resumed) {
    const row = await lockTerms(tx, partnerId);
    if (row?.status === 'suspended' || row?.status === 'past_due') {
      const isPastDue = row.status === 'past_due' || (await isOverdue(tx, partnerId, now));
      const state = isPastDue ? { status: 'past_due', pastDueSince: now } : { status: 'active', pastDueSince: null };
      await writeStatus(tx, partnerId, { ...state, cancelAt: row.cancelAt });
    } else if (row?.status === 'expired' || row?.status === 'cancelled') {
      const loaded = await loadTerms(tx, row);
      const { present } = loaded;
      const trialEndsAt = trialEnd(present.plan, undefined, now);
      if (trialEndsAt === null) await changeTerms(tx, loaded, present, { now });
      else await changeTrial(tx, loaded, present, { now, trialEndsAt, isResumption: true });
    }
  }
}
