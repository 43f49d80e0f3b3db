import type { Period } from './period.ts';

/** A stored line of the plan or of purchased seats for the present period: of its invoice, or waiting for the next one. */
export type ChargedLine = { kind: 'plan' | 'seats'; quantity: number; unitPriceMinor: number; periodStart: Date; orderId: string | null };

/** Prices for a whole period, in minor units, at which the rest of the present one was charged. */
export type Charged = {
  /** 0 when the period was not charged. */
  planMinor: number;
  /** Purchased seats by price, the latest charged first. */
  seats: { quantity: number; unitPriceMinor: number }[];
};

/**
 * Returns what the rest of a period was charged at, which is not what the plan costs now: staff change its price from the next period on, and a
 * voided invoice charges nothing. `lines`: oldest first. A change of terms replaces the price of the plan, or of as many seats as it charged.
 */
export function chargedAt(lines: readonly ChargedLine[], period: Period): Charged {
  let planMinor = 0;
  let seats: Charged['seats'] = [];
  for (const { kind, quantity, unitPriceMinor, periodStart, orderId } of lines) {
    const isReplacing = orderId === null && periodStart > period.start;
    if (kind === 'plan') planMinor = unitPriceMinor;
    else seats = [{ quantity, unitPriceMinor }, ...(isReplacing ? splitSeats(seats, quantity).rest : seats)];
  }
  return { planMinor, seats };
}

/** Divides charged seats into the first ones, at most as many as named, and the rest. */
export function splitSeats(seats: Charged['seats'], quantity: number): { first: Charged['seats']; rest: Charged['seats'] } {
  const [first, rest]: [Charged['seats'], Charged['seats']] = [[], []];
  let left = quantity;
  for (const group of seats) {
    const taken = Math.min(left, group.quantity);
    left -= taken;
    if (taken > 0) first.push({ ...group, quantity: taken });
    if (taken < group.quantity) rest.push({ ...group, quantity: group.quantity - taken });
  }
  return { first, rest };
}
