import type { InvoiceDetail } from '../../queries/billing.ts';
import { minorOf, typedAmount } from '../../shared/money-input.ts';

/** A line of a credit note as typed; the price in whole units. */
export type CreditLine = { description: string; quantity: string; price: string };

export const NEW_LINE: CreditLine = { description: '', quantity: '1', price: '' };

type Credited = Pick<InvoiceDetail, 'lines' | 'subtotalMinor' | 'currency' | 'number'>;

/** Returns the lines that take off the whole invoice. An invoice with credits is taken off as one sum, because amounts are positive. */
export function fullCredit({ lines, subtotalMinor, currency, number }: Credited): CreditLine[] {
  const charged = lines.filter(({ amountMinor }) => amountMinor !== 0);
  if (charged.some(({ amountMinor }) => amountMinor < 0))
    return [{ description: `Invoice ${number ?? ''}`.trim(), quantity: '1', price: typedAmount(subtotalMinor, currency) }];
  return charged.map(({ description, amountMinor }) => ({ description, quantity: '1', price: typedAmount(amountMinor, currency) }));
}

/** Returns the lines for the API. */
export function toCredit(lines: readonly CreditLine[], currency: string) {
  return lines.map(({ description, quantity, price }) => ({
    description: description.trim(),
    quantity: Number(quantity),
    unitPriceMinor: minorOf(price, currency),
  }));
}

/** Returns the sum before tax, in minor units; 0 for what is no number yet. */
export function creditedMinor(lines: readonly CreditLine[], currency: string): number {
  const sum = toCredit(lines, currency).reduce((total, { quantity, unitPriceMinor }) => total + quantity * unitPriceMinor, 0);
  return Number.isSafeInteger(sum) ? sum : 0;
}
