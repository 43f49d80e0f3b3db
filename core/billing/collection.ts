import type { SubscriptionStatus, SuspensionCause } from '@partner-portal/contract/vocabulary.ts';
import type { AccountStatus } from '../account/account.ts';
import { type Debt, overdueDays } from './invoice.ts';

const DAY_MS = 86_400_000;

/** Days of the payment clock. `reminderDays` count from the due date, ascending; the suspension counts from the day of `past_due`. */
export type CollectionRules = { reminderDays: readonly number[]; pastDueAfterDays: number; suspensionAfterDays: number };

/** An invoice that owes something and whose due date has passed. It is overdue a whole day later. */
export type DueInvoice = Debt & { id: string; dueAt: Date; remindersSent: number };

/** The subscription, and the account of its agency. */
export type CollectionState = {
  status: SubscriptionStatus;
  pastDueSince: Date | null;
  clockPausedAt: Date | null;
  accountStatus: AccountStatus;
  suspensionCause: SuspensionCause | null;
};

export type CollectionStep = {
  /** `remindersSent` is what to store. `isMailed`: whether one is mailed; those that a notice replaces or that came due together are not. */
  reminders: { invoiceId: string; remindersSent: number; isMailed: boolean }[];
  becomes: 'past_due' | 'suspended' | null;
};

/**
 * Returns whether the clock stands still: staff pause it, or the account is suspended. The end of a subscription suspends the account, too,
 * but its last invoice is reminded of.
 */
function standsStill({ status, clockPausedAt, accountStatus, suspensionCause }: CollectionState): boolean {
  if (clockPausedAt !== null || status === 'suspended') return true;
  const isEnded = (status === 'expired' || status === 'cancelled') && suspensionCause === 'billing';
  return accountStatus !== 'active' && !isEnded;
}

/** Returns when a subscription that is past due is suspended; null when it is not past due or its clock stands still. */
export function suspensionAt(state: CollectionState, rules: Pick<CollectionRules, 'suspensionAfterDays'>): Date | null {
  if (state.status !== 'past_due' || state.pastDueSince === null || standsStill(state)) return null;
  return new Date(state.pastDueSince.getTime() + rules.suspensionAfterDays * DAY_MS);
}

/** Returns since when a subscription counts as past due once its clock goes on: a pause does not use up the days before the suspension. */
export function pastDueAfterPause(pastDueSince: Date | null, clockPausedAt: Date, now: Date): Date | null {
  if (pastDueSince === null) return null;
  const from = Math.max(clockPausedAt.getTime(), pastDueSince.getTime());
  return new Date(pastDueSince.getTime() + Math.max(0, now.getTime() - from));
}

/**
 * Decides what is due at `now` for an agency with invoices that are due. When several reminders came due, as after a pause, only the latest is
 * mailed. A suspension follows `past_due` by its full number of days, regardless of when the sweep noticed it.
 */
export function collect(state: CollectionState, due: readonly DueInvoice[], rules: CollectionRules, now: Date): CollectionStep {
  if (standsStill(state)) return { reminders: [], becomes: null };
  const isLate = (invoice: DueInvoice): boolean => overdueDays(invoice, now) >= rules.pastDueAfterDays;
  const suspendsAt = suspensionAt(state, rules);
  const becomes =
    state.status === 'active' && due.some(isLate)
      ? 'past_due'
      : suspendsAt !== null && suspendsAt <= now && due.some((invoice) => overdueDays(invoice, now) > 0)
        ? 'suspended'
        : null;
  const reminders = due.flatMap((invoice) => {
    const remindersSent = rules.reminderDays.filter((day) => day <= overdueDays(invoice, now)).length;
    if (remindersSent <= invoice.remindersSent) return [];
    return [{ invoiceId: invoice.id, remindersSent, isMailed: becomes === null || (becomes === 'past_due' && !isLate(invoice)) }];
  });
  return { reminders, becomes };
}
