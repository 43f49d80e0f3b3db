import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { lineAmount, type Share } from './money.ts';
import { type InvoiceLine, recurringLines, seatsAfterRelease } from './next-invoice.ts';
import { nextBoundary, type Period, shareLeft } from './period.ts';
import type { PlanTerms } from './terms.ts';

/** A plan with the terms in force on it: overrides are in place. */
export type NamedTerms = { planName: string; terms: PlanTerms };

export type PlanChangeInput = {
  now: Date;
  status: SubscriptionStatus;
  period: Period;
  from: NamedTerms;
  to: NamedTerms;
  purchasedSeats: number;
  /** Purchased seats that end with the period, as far as they are free. */
  releasedSeats: number;
  /** Given by staff. */
  grantedSeats: number;
  /** Clients that count, and members with pending invitations. */
  used: { clients: number; seats: number };
};

export type Excess = { what: 'clients' | 'seats'; used: number; limit: number };

export type PlanChange = {
  direction: 'up' | 'down' | 'same';
  /** Now, or the end of the period for a move down. */
  effectiveAt: Date;
  /** A paid subscription begins: the new period, in place of the present one. Null when the period goes on. */
  newPeriod: Period | null;
  /** Charged and credited now: wait for the next invoice, or are the first one's when a period begins. */
  lines: InvoiceLine[];
  dueNowMinor: number;
  /** What recurs from the next period on, without tax. */
  nextMonthlyMinor: number;
  /** What does not fit. The change is refused until it does. */
  exceeds: Excess[];
};

/** Statuses in which nothing is paid for: other terms begin a paid subscription. */
const UNPAID: readonly SubscriptionStatus[] = ['trialing', 'expired', 'cancelled'];

/**
 * Decides what follows from a change of plan or overrides. A higher monthly price, or the same one with nothing smaller, is a move up and
 * holds at once: the unused rest of the old terms is credited, the rest of the period on the new ones charged. Anything else is a move down
 * and holds from the end of the period. From a trial, and after an ended subscription, a new period begins at once and is charged whole.
 */
export function planChange(input: PlanChangeInput): PlanChange {
  const { now, from, to, period, purchasedSeats } = input;
  const begins = UNPAID.includes(input.status);
  const direction = begins ? 'up' : directionOf(from.terms, to.terms, purchasedSeats);
  const isNow = direction !== 'down';
  const newPeriod = begins ? { start: now, end: nextBoundary(now, now) } : null;
  const lines = newPeriod
    ? recurringLines({ ...to.terms, planName: to.planName, purchasedSeats }, newPeriod)
    : isNow
      ? proratedLines(input)
      : [];
  return {
    direction,
    effectiveAt: isNow ? now : period.end,
    newPeriod,
    lines,
    dueNowMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    nextMonthlyMinor: monthlyPrice(to.terms, seatsAfterChange(input)),
    exceeds: excessOf(input),
  };
}

/** Returns what the terms cost a month with these purchased seats, in minor units. */
export function monthlyPrice(terms: Pick<PlanTerms, 'monthlyPriceMinor' | 'seatPriceMinor'>, purchasedSeats: number): number {
  return terms.monthlyPriceMinor + terms.seatPriceMinor * purchasedSeats;
}

function seatsAfterChange({ to, purchasedSeats, releasedSeats, grantedSeats, used }: PlanChangeInput): number {
  const included = to.terms.includedSeats + grantedSeats;
  return seatsAfterRelease({ included, purchased: purchasedSeats, released: releasedSeats, inUse: used.seats });
}

/**
 * Returns what does not fit into the new terms. A limit that does not fall is no obstacle, even if more is in use already: the change does
 * not make it worse.
 */
export function excessOf({
  from,
  to,
  grantedSeats,
  purchasedSeats,
  used,
}: Pick<PlanChangeInput, 'grantedSeats' | 'purchasedSeats' | 'used'> & { from: { terms: PlanTerms }; to: { terms: PlanTerms } }): Excess[] {
  const extraSeats = grantedSeats + purchasedSeats;
  const limits = [
    { what: 'clients', used: used.clients, before: from.terms.includedClients, limit: to.terms.includedClients },
    { what: 'seats', used: used.seats, before: from.terms.includedSeats + extraSeats, limit: to.terms.includedSeats + extraSeats },
  ] as const;
  return limits.filter((one) => one.limit < one.before && one.used > one.limit).map(({ what, used, limit }) => ({ what, used, limit }));
}

function directionOf(from: PlanTerms, to: PlanTerms, purchasedSeats: number): 'up' | 'down' | 'same' {
  const difference = monthlyPrice(to, purchasedSeats) - monthlyPrice(from, purchasedSeats);
  if (difference !== 0) return difference > 0 ? 'up' : 'down';
  const steps = gifts(to).map(([name, value]) => value - (new Map(gifts(from)).get(name) ?? 0));
  if (steps.some((step) => step < 0)) return 'down';
  return steps.some((step) => step > 0) || from.seatPriceMinor !== to.seatPriceMinor ? 'up' : 'same';
}

/** What terms give, each as a number: more is better. */
function gifts(terms: PlanTerms): [name: string, value: number][] {
  const { includedSeats, includedClients, monthlyCredits, features } = terms;
  const numbers = { includedSeats, includedClients, monthlyCredits };
  return [
    ...Object.entries(numbers),
    ...Object.entries(features).map(([name, value]): [string, number] => [`features.${name}`, Number(value)]),
  ];
}

function proratedLines({ now, from, to, period, purchasedSeats }: PlanChangeInput): InvoiceLine[] {
  const share = shareLeft(period, now);
  const rest = { start: now, end: period.end };
  const seats = 'Team seats beyond the plan';
  const priced = [
    {
      kind: 'plan',
      quantity: 1,
      before: from.terms.monthlyPriceMinor,
      after: to.terms.monthlyPriceMinor,
      names: [from.planName, to.planName],
    },
    { kind: 'seats', quantity: purchasedSeats, before: from.terms.seatPriceMinor, after: to.terms.seatPriceMinor, names: [seats, seats] },
  ] as const;
  return priced
    .filter(({ before, after }) => before !== after)
    .flatMap(({ kind, quantity, before, after, names: [old, next] }) => [
      chargeFor(rest, share, { kind: 'plan_credit', description: `${old}: unused ${daysText(share)}`, quantity, unitPriceMinor: -before }),
      chargeFor(rest, share, { kind, description: `${next}: ${daysText(share)}`, quantity, unitPriceMinor: after }),
    ])
    .filter(({ amountMinor }) => amountMinor !== 0);
}

function chargeFor(
  period: Period,
  share: Share,
  line: Pick<InvoiceLine, 'kind' | 'description' | 'quantity' | 'unitPriceMinor'>,
): InvoiceLine {
  const amountMinor = lineAmount(line.quantity, line.unitPriceMinor, share);
  return { ...line, id: null, amountMinor, periodStart: period.start, periodEnd: period.end, orderId: null };
}

function daysText({ days, of }: Share): string {
  return `${days} of ${of} days`;
}
