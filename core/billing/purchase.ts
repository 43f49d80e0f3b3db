import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { type SeatCount, seatsTotal, seatsUsed } from '../people/seats.ts';
import { lineAmount, type Share } from './money.ts';
import { type Period, shareLeft } from './period.ts';

/** Most purchased credits of an agency: with as many monthly credits as terms can give, 1,000,000,000, a 32-bit integer holds their sum. */
export const PURCHASED_CREDITS_MAX = 1_147_483_647;

/** Costs of a purchase, in minor units. */
export type Quote = {
  unitPriceMinor: number;
  /** The share of the period that is charged now. */
  share: Share;
  dueNowMinor: number;
  /** Amount added to each period from the next one on. */
  monthlyMinor: number;
};

/** Returns what more seats cost: the days left of this period, today included, and then each month. */
export function quoteSeats(quantity: number, seatPriceMinor: number, period: Period, now: Date): Quote {
  const share = shareLeft(period, now);
  return {
    unitPriceMinor: seatPriceMinor,
    share,
    dueNowMinor: lineAmount(quantity, seatPriceMinor, share),
    monthlyMinor: lineAmount(quantity, seatPriceMinor),
  };
}

const PAID_FOR: Record<SubscriptionStatus, boolean> = {
  trialing: false,
  active: true,
  past_due: true,
  suspended: true,
  expired: false,
  cancelled: false,
};

/** Returns whether a subscription in this state is paid for: it can be cancelled, and other terms are charged for the rest of its period. */
export function isPaidFor(status: SubscriptionStatus): boolean {
  return PAID_FOR[status];
}

/** Returns what credit packs cost: their price, once. */
export function quotePacks(quantity: number, { priceMinor }: { priceMinor: number }): Quote {
  return { unitPriceMinor: priceMinor, share: { days: 1, of: 1 }, dueNowMinor: lineAmount(quantity, priceMinor), monthlyMinor: 0 };
}

/** Returns why a subscription in this state cannot buy and what to do, as a sentence; null when it can. */
export function purchaseProblem(status: SubscriptionStatus): string | null {
  switch (status) {
    case 'trialing':
      return 'A trial cannot buy seats or credits. Request a plan first.';
    case 'expired':
      return 'Your trial has ended. Request a plan to go on.';
    case 'cancelled':
      return 'Your subscription has ended. Request a plan to start again.';
    case 'suspended':
      return 'Your subscription is suspended. Pay the overdue invoices first.';
    case 'active':
    case 'past_due':
      return null;
  }
}

/** Returns the limit that fewer seats would exceed, null when members and pending invitations fit. `fewer` is how many are taken away. */
export function seatShortage(seats: SeatCount, fewer: number): { used: number; limit: number } | null {
  const used = seatsUsed(seats);
  const limit = seatsTotal(seats) - fewer;
  return limit >= used ? null : { used, limit };
}

/** Returns how many purchased credits can be taken away: those that this period has not used beyond its monthly ones. */
export function creditsToTake({ purchased, used, monthly }: { purchased: number; used: number; monthly: number }): number {
  return Math.max(0, purchased - Math.max(0, used - monthly));
}
