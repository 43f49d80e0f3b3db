import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { type Charged, lowerCredits, splitSeats } from './charged.ts';
import { lineAmount, type Share } from './money.ts';
import { type InvoiceLine, recurringLines, SEATS, seatsOfNextPeriod } from './next-invoice.ts';
import { nextBoundary, type Period, shareLeft } from './period.ts';
import { isPaidFor } from './purchase.ts';
import type { PlanTerms } from './terms.ts';

/** A plan with the terms in force on it: overrides are in place. */
export type NamedTerms = { planName: string; terms: PlanTerms };

export type PlanChangeInput = {
  now: Date;
  status: SubscriptionStatus;
  period: Period;
  /** What the rest of the period was charged at. */
  charged: Charged;
  from: NamedTerms;
  to: NamedTerms;
  /** The terms that wait for the end of the period. */
  pending: NamedTerms | null;
  /** They go on waiting after a change that holds at once. */
  keepsPending: boolean;
  purchasedSeats: number;
  /** Included seats that the purchased ones were bought beyond; null: those of the present terms. */
  purchasedBeyond: number | null;
  /** Purchased seats that end with the period, as far as they are free. */
  releasedSeats: number;
  /** Given by staff. */
  grantedSeats: number;
  /** The subscription is cancelled at the end of the period. */
  isCancelled: boolean;
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
  /** When the lines are invoiced: now if a period begins, otherwise at the end of the present one. Null without lines. */
  invoicedAt: Date | null;
  /** Purchased seats billed from the next period on, released ones not deducted: without the change, and with it. */
  purchasedSeats: { before: number; after: number };
  /** The same with released ones deducted: those of `nextMonthlyMinor`. */
  billedSeats: { before: number; after: number };
  /** When `nextMonthlyMinor` is charged for the first time. */
  nextChargeAt: Date;
  /** Recurring amount from the next period on, without tax. */
  nextMonthlyMinor: number;
  /** The subscription goes on: it no longer ends with the period. */
  withdrawsCancellation: boolean;
  /** Usage that does not fit. The change is refused until it does. */
  exceeds: Excess[];
};

/**
 * Decides what follows from a change of plan or overrides. A higher price, or the same one with nothing smaller, is a move up and holds at once:
 * the unused rest of what was charged is credited, up to the rest of the period at the new price, which is charged. Anything else is a move down
 * and holds from the end of the period. Purchased seats stay until then, paid as they are; those that the new terms include are not billed in the next period. From
 * a trial, and after an ended subscription, a new period begins at once and is charged whole.
 */
export function planChange(input: PlanChangeInput): PlanChange {
  const { now, from, to, period } = input;
  // Where nothing is paid for, other terms begin a paid subscription.
  const begins = !isPaidFor(input.status);
  // Seats that either terms include stay until the end of the period as they were paid.
  const pricedSeats = Math.min(billedSeats(input, from), billedSeats(input, to));
  const direction = begins ? 'up' : directionOf(from.terms, to.terms, pricedSeats);
  const isNow = direction !== 'down';
  const next = input.keepsPending && isNow && !begins ? (input.pending ?? to) : to;
  const seatsWith = (released: number) => ({
    before: billedSeats(input, input.pending ?? from, released),
    after: billedSeats(input, next, released),
  });
  const [seats, billed] = [seatsWith(0), seatsWith(input.releasedSeats)];
  const newPeriod = begins ? { start: now, end: nextBoundary(now, now) } : null;
  const lines = newPeriod
    ? recurringLines({ ...to.terms, planName: to.planName, purchasedSeats: seats.after }, newPeriod)
    : isNow
      ? proratedLines(input, pricedSeats)
      : [];
  return {
    direction,
    effectiveAt: isNow ? now : period.end,
    newPeriod,
    lines,
    dueNowMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    invoicedAt: lines.length === 0 ? null : newPeriod ? now : period.end,
    purchasedSeats: seats,
    billedSeats: billed,
    nextMonthlyMinor: monthlyPrice(next.terms, billed.after),
    nextChargeAt: newPeriod ? now : period.end,
    withdrawsCancellation: input.isCancelled && !begins && direction !== 'same',
    exceeds: excessOf(input),
  };
}

/** Returns what the terms cost a month with these purchased seats, in minor units. */
export function monthlyPrice(terms: Pick<PlanTerms, 'monthlyPriceMinor' | 'seatPriceMinor'>, purchasedSeats: number): number {
  return terms.monthlyPriceMinor + terms.seatPriceMinor * purchasedSeats;
}

/** Returns how many purchased seats the next period bills on these terms. */
function billedSeats({ from, purchasedSeats, purchasedBeyond, grantedSeats, used }: PlanChangeInput, on: NamedTerms, released = 0): number {
  const beyond = purchasedBeyond ?? from.terms.includedSeats;
  return seatsOfNextPeriod(
    { purchased: purchasedSeats, beyond, released, granted: grantedSeats, inUse: used.seats },
    on.terms.includedSeats,
  );
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
  // Purchased seats that are in use stay.
  const seats = ({ includedSeats }: PlanTerms): number => includedSeats + grantedSeats + purchasedSeats;
  const limits = [
    { what: 'clients', used: used.clients, before: from.terms.includedClients, limit: to.terms.includedClients },
    { what: 'seats', used: used.seats, before: seats(from.terms), limit: seats(to.terms) },
  ] as const;
  return limits.filter((one) => one.limit < one.before && one.used > one.limit).map(({ what, used, limit }) => ({ what, used, limit }));
}

function directionOf(from: PlanTerms, to: PlanTerms, pricedSeats: number): 'up' | 'down' | 'same' {
  const difference = monthlyPrice(to, pricedSeats) - monthlyPrice(from, pricedSeats);
  if (difference !== 0) return difference > 0 ? 'up' : 'down';
  const steps = gifts(to).map(([name, value]) => value - (new Map(gifts(from)).get(name) ?? 0));
  if (steps.some((step) => step < 0)) return 'down';
  return steps.some((step) => step > 0) || from.seatPriceMinor !== to.seatPriceMinor ? 'up' : 'same';
}

/** Benefits of terms, each as a number: more is better. `customTemplates` is none, as it opens nothing (PLAN-1). */
function gifts(terms: PlanTerms): [name: string, value: number][] {
  const { includedSeats, includedClients, monthlyCredits } = terms;
  const { customTemplates: _none, ...features } = terms.features;
  const numbers = { includedSeats, includedClients, monthlyCredits };
  return [
    ...Object.entries(numbers),
    ...Object.entries(features).map(([name, value]): [string, number] => [`features.${name}`, Number(value)]),
  ];
}

function proratedLines({ now, from, to, period, charged }: PlanChangeInput, pricedSeats: number): InvoiceLine[] {
  const share = shareLeft(period, now);
  const rest = { start: now, end: period.end };
  const items = [
    {
      kind: 'plan',
      quantity: 1,
      paid: [{ quantity: 1, unitPriceMinor: charged.planMinor }],
      before: { name: from.planName, priceMinor: from.terms.monthlyPriceMinor },
      after: { name: to.planName, priceMinor: to.terms.monthlyPriceMinor },
    },
    {
      kind: 'seats',
      quantity: pricedSeats,
      paid: splitSeats(charged.seats, pricedSeats).first,
      before: { name: SEATS, priceMinor: from.terms.seatPriceMinor },
      after: { name: SEATS, priceMinor: to.terms.seatPriceMinor },
    },
  ] as const;
  const lines = items
    .filter(({ before, after }) => before.priceMinor !== after.priceMinor)
    .flatMap(({ kind, quantity, paid, before, after }) => {
      const credit = { kind: 'plan_credit', description: `${before.name}: unused ${daysText(share)}` } as const;
      const charge = { kind, description: `${after.name}: ${daysText(share)}` };
      return [
        ...paid.map((one) => chargeFor(rest, share, { ...credit, quantity: one.quantity, unitPriceMinor: -one.unitPriceMinor })),
        chargeFor(rest, share, { ...charge, quantity, unitPriceMinor: after.priceMinor }),
      ];
    })
    .filter(({ amountMinor }) => amountMinor !== 0);
  // Credits take back no more than the change charges.
  return lowerCredits(lines, -lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0));
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
