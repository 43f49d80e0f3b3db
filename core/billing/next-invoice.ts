import type { InvoiceLineKind } from '@partner-portal/contract/vocabulary.ts';
import { lineAmount, taxOn } from './money.ts';
import type { Period } from './period.ts';

/** One charge or, with a negative amount, one credit. Amounts in minor units. */
export type ChargeLine = {
  kind: InvoiceLineKind;
  description: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  periodStart: Date | null;
  periodEnd: Date | null;
  orderId: string | null;
};

/** `id` is null for a line that is not stored yet. */
export type InvoiceLine = ChargeLine & { id: string | null };

/** Lines and totals of an invoice to draft. */
export type Draft = {
  lines: InvoiceLine[];
  /** Credits that exceed the charges: they wait for the next invoice. The rest of a divided line is new, its `id` null. */
  carried: InvoiceLine[];
  subtotalMinor: number;
  taxMinor: number;
  totalMinor: number;
};

/** Recurring items of a period: the plan's name and prices, and the purchased seats. */
export type Recurring = { planName: string; monthlyPriceMinor: number; seatPriceMinor: number; purchasedSeats: number };

/** Purchased seats, as an invoice names them. */
export const SEATS = 'Extra seats';

/** Returns the lines of a whole period, charged in advance: the plan and the purchased seats. Lines of 0 are left out. */
export function recurringLines({ planName, monthlyPriceMinor, seatPriceMinor, purchasedSeats }: Recurring, period: Period): InvoiceLine[] {
  const line = (kind: 'plan' | 'seats', description: string, quantity: number, unitPriceMinor: number): InvoiceLine => ({
    id: null,
    kind,
    description,
    quantity,
    unitPriceMinor,
    amountMinor: lineAmount(quantity, unitPriceMinor),
    periodStart: period.start,
    periodEnd: period.end,
    orderId: null,
  });
  return [line('plan', planName, 1, monthlyPriceMinor), line('seats', SEATS, purchasedSeats, seatPriceMinor)].filter(
    ({ amountMinor }) => amountMinor !== 0,
  );
}

/**
 * Returns the next invoice: recurring lines first, then the waiting ones in their order. It is never negative: credits are used up to the sum
 * of the charges, oldest first, and the rest is carried to the next one. Null when nothing is charged: no line, or all of them 0, or only
 * credits. `taxRateBasisPoints`: 1900 is 19 %.
 */
export function composeInvoice(
  recurring: readonly InvoiceLine[],
  waiting: readonly InvoiceLine[],
  taxRateBasisPoints: number,
): Draft | null {
  const all = [...recurring, ...waiting];
  let available = all.reduce((sum, { amountMinor }) => sum + Math.max(0, amountMinor), 0);
  if (available === 0) return null;
  const lines: InvoiceLine[] = [];
  const carried: InvoiceLine[] = [];
  for (const line of all) {
    const used = Math.min(available, Math.max(0, -line.amountMinor));
    const rest = Math.min(0, line.amountMinor) + used;
    available -= used;
    if (rest === 0) lines.push(line);
    else if (used === 0) carried.push(line);
    else {
      lines.push({ ...line, amountMinor: -used });
      carried.push({ ...line, id: null, amountMinor: rest });
    }
  }
  const subtotalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const taxMinor = taxOn(subtotalMinor, taxRateBasisPoints);
  return { lines, carried, subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor };
}

/** The purchased seats of a subscription, and what uses seats. */
export type PurchasedSeats = {
  purchased: number;
  /** Included seats that the purchased ones were bought beyond. */
  beyond: number;
  /** Purchased seats that the agency lets end with the period. */
  released: number;
  /** Given by staff. */
  granted: number;
  /** Members and pending invitations. */
  inUse: number;
};

/** Returns how many purchased seats terms cover that include more than those were bought beyond. */
export function seatsCovered({ purchased, beyond }: Pick<PurchasedSeats, 'purchased' | 'beyond'>, includedSeats: number): number {
  return Math.min(purchased, Math.max(0, includedSeats - beyond));
}

/**
 * Returns how many purchased seats are billed from the next period on, on terms with these included seats. Covered and released ones end with
 * the period as far as they are free then.
 */
export function seatsOfNextPeriod(seats: PurchasedSeats, includedSeats: number): number {
  const needed = Math.max(0, seats.inUse - includedSeats - seats.granted);
  return Math.max(Math.min(seats.purchased, needed), seats.purchased - seats.released - seatsCovered(seats, includedSeats));
}
