import { type InvoiceLine, SEATS } from './next-invoice.ts';
import type { Period } from './period.ts';

/** A stored line for the present period: of its invoice, or waiting for the next one. */
export type ChargedLine = Pick<InvoiceLine, 'kind' | 'quantity' | 'unitPriceMinor' | 'orderId'> & { periodStart: Date };

/** `leftMinor`: what credit notes left of the invoice of the line, before tax. Null for a line that waits. */
export type PeriodLine = ChargedLine & Omit<InvoiceLine, 'id' | 'periodStart'> & { leftMinor: number | null };

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
    else if (kind === 'seats') seats = [{ quantity, unitPriceMinor }, ...(isReplacing ? splitSeats(seats, quantity).rest : seats)];
  }
  return { planMinor, seats };
}

/**
 * Returns which of the later lines credit the unused rest of what the invoice of a period charged. A change of terms credits what was
 * charged last, so that a later change may credit the lines of one before and not the invoice. `invoiced`: its lines of plan and seats;
 * `waiting`: lines of the period that wait or stand on later invoices, oldest first.
 */
export function creditsOfInvoice<Line extends Omit<InvoiceLine, 'id'>>(
  invoiced: readonly Pick<ChargedLine, 'kind' | 'quantity' | 'unitPriceMinor'>[],
  waiting: readonly Line[],
  period: Period,
): Line[] {
  const credits: Line[] = [];
  let isPlanInvoiced = invoiced.some(({ kind }) => kind === 'plan');
  let seats = invoiced.filter(({ kind }) => kind === 'seats').map((line) => ({ ...line, isInvoiced: true }));
  let left = seats;
  for (const line of waiting) {
    const { kind, quantity, unitPriceMinor, periodStart, orderId } = line;
    if (periodStart === null || periodStart < period.start) continue;
    if (kind === 'plan') isPlanInvoiced = false;
    else if (kind === 'seats') {
      seats = [{ kind, quantity, unitPriceMinor, isInvoiced: false }, ...(orderId === null ? splitSeats(seats, quantity).rest : seats)];
      left = seats;
    } else if (kind === 'plan_credit' && !line.description.startsWith(`${SEATS}: `)) {
      if (isPlanInvoiced) credits.push(line);
    } else if (kind === 'plan_credit') {
      const group = left.find((one) => one.unitPriceMinor === -unitPriceMinor && one.quantity >= quantity);
      if (group?.isInvoiced) credits.push(line);
      left = left.filter((one) => one !== group);
    }
  }
  return credits;
}

/**
 * Lowers what the lines of a change credit of the invoice of their period: with its credit notes and earlier changes it is never credited beyond its
 * amount (BILL-62). `before`: the lines of the period until then, oldest first.
 */
export function creditWithin(lines: readonly InvoiceLine[], before: readonly PeriodLine[], period: Period): InvoiceLine[] {
  const invoiced = before.filter(({ leftMinor }) => leftMinor !== null);
  const waiting: Omit<InvoiceLine, 'id'>[] = before.filter(({ leftMinor }) => leftMinor === null);
  const credits = creditsOfInvoice(invoiced, [...waiting, ...lines], period);
  const credited = credits.reduce((sum, { amountMinor }) => sum - amountMinor, 0);
  return lowerCredits(lines, credited - (invoiced[0]?.leftMinor ?? 0), (line) => credits.includes(line));
}

/** Lowers credits by this amount, the first ones first, and leaves out those of which nothing is left. */
export function lowerCredits(
  lines: readonly InvoiceLine[],
  byMinor: number,
  isLowered: (line: InvoiceLine) => boolean = () => true,
): InvoiceLine[] {
  let excess = Math.max(0, byMinor);
  return lines.flatMap((line) => {
    const kept = isLowered(line) ? Math.min(excess, Math.max(0, -line.amountMinor)) : 0;
    excess -= kept;
    return kept > 0 && kept === -line.amountMinor ? [] : [{ ...line, amountMinor: line.amountMinor + kept }];
  });
}

/** Divides charged seats into the first ones, at most as many as named, and the rest. */
export function splitSeats<Group extends { quantity: number }>(
  seats: readonly Group[],
  quantity: number,
): { first: Group[]; rest: Group[] } {
  const [first, rest]: [Group[], Group[]] = [[], []];
  let left = quantity;
  for (const group of seats) {
    const taken = Math.min(left, group.quantity);
    left -= taken;
    if (taken > 0) first.push({ ...group, quantity: taken });
    if (taken < group.quantity) rest.push({ ...group, quantity: group.quantity - taken });
  }
  return { first, rest };
}
