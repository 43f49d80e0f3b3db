import { decimalsOf, majorOf } from '@partner-portal/core/billing/currency.ts';

/** Prices as typed in forms: in whole units of a currency, such as "99.50". */

/** Returns what a field shows for a price in minor units. */
export function typedAmount(minor: number, currency: string): string {
  const amount = majorOf(minor, currency);
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(decimalsOf(currency));
}

/** Returns the price in minor units; 0 for an empty field. */
export function minorOf(text: string, currency: string): number {
  return Math.round(Number(text.trim() || 0) * 10 ** decimalsOf(currency));
}

/** The step of a number field for a price: "0.01" for EUR, "1" for JPY. */
export function priceStep(currency: string): string {
  return String(1 / 10 ** decimalsOf(currency));
}
