import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { type InvoiceLine, recurringLines, seatsOfNextPeriod } from './next-invoice.ts';
import { nextPeriod, type Period } from './period.ts';
import { type Excess, excessOf, type NamedTerms } from './plan-change.ts';

/** Statuses of a subscription that goes on when its period ends. */
export const ROLLED_OVER: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'suspended'];

/** A subscription whose period has ended. */
export type EndedPeriod = {
  status: SubscriptionStatus;
  period: Period;
  anchor: Date;
  present: NamedTerms;
  /** The terms that wait for this moment. */
  pending: NamedTerms | null;
  cancelAt: Date | null;
  purchasedSeats: number;
  /** Included seats that the purchased ones were bought beyond; null: those of the present terms. */
  purchasedBeyond: number | null;
  /** Given by staff. */
  grantedSeats: number;
  /** Purchased seats that end now, as far as they are free. */
  releasedSeats: number;
  /** The account is suspended until it is deleted: no period is charged. */
  deletionApproved: boolean;
  /** Clients that count, and members with pending invitations. Looked at only if purchased seats may end or other terms wait. */
  used: { clients: number; seats: number };
};

export type RollOver =
  /** Cancelled: no further period. What waits is billed. */
  | { kind: 'ended'; purchasedSeats: number }
  | {
      kind: 'continued';
      period: Period;
      /** `refused`: what does not fit, so the present terms stay. */
      change: 'none' | 'applied' | { refused: Excess[] };
      terms: NamedTerms;
      purchasedSeats: number;
      /** Price of the new period, in advance. */
      lines: InvoiceLine[];
    };

/** Returns whether the roll-over depends on what is in use. */
export function needsUse({
  pending,
  releasedSeats,
  purchasedBeyond,
}: Pick<EndedPeriod, 'pending' | 'releasedSeats' | 'purchasedBeyond'>): boolean {
  return pending !== null || releasedSeats > 0 || purchasedBeyond !== null;
}

/**
 * Decides what follows from the end of a period: a cancelled subscription ends, and released seats with it; else waiting terms apply if they still fit, then
 * purchased seats that those include, and released ones, end as far as they are free, and the next period is charged in advance. A trial is
 * not charged, nor an account whose deletion is approved.
 */
export function rollOver(ended: EndedPeriod): RollOver {
  const { period, anchor, present, pending, cancelAt, purchasedSeats, grantedSeats, used } = ended;
  const seats = { purchased: purchasedSeats, released: ended.releasedSeats, granted: grantedSeats, inUse: used.seats };
  const { includedSeats } = present.terms;
  // What the present terms include in addition depends on the terms that the subscription may be resumed on.
  if (cancelAt !== null && cancelAt <= period.end)
    return { kind: 'ended', purchasedSeats: seatsOfNextPeriod({ ...seats, beyond: includedSeats }, includedSeats) };
  const exceeds = pending ? excessOf({ from: present, to: pending, grantedSeats, purchasedSeats, used }) : [];
  const terms = pending && exceeds.length === 0 ? pending : present;
  const billedSeats = seatsOfNextPeriod({ ...seats, beyond: ended.purchasedBeyond ?? includedSeats }, terms.terms.includedSeats);
  const next = nextPeriod(anchor, period);
  return {
    kind: 'continued',
    period: next,
    change: pending === null ? 'none' : exceeds.length === 0 ? 'applied' : { refused: exceeds },
    terms,
    purchasedSeats: billedSeats,
    lines:
      ended.status === 'trialing' || ended.deletionApproved
        ? []
        : recurringLines({ ...terms.terms, planName: terms.planName, purchasedSeats: billedSeats }, next),
  };
}
