import { numberFormat } from '../ui/text/intl.ts';
/** Prices as typed in forms: in whole units of a currency, such as "99.50". */

/** Returns the number of decimal digits of a currency: 2 for EUR, 0 for JPY. */
function digitsOf(currency: string): number {
  try {
    return numberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2; // invalid currency: the server refuses it
  }
}

/** Returns what a field shows for a price in minor units. */
export function typedAmount(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const amount = minor / 10 ** digits;
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(digits);
}

/** Returns the price in minor units; 0 for an empty field. */
export function minorOf(text: string, currency: string): number {
  return Math.round(Number(text.trim() || 0) * 10 ** digitsOf(currency));
}

/** The step of a number field for a price: "0.01" for EUR, "1" for JPY. */
export function priceStep(currency: string): string {
  return String(1 / 10 ** digitsOf(currency));
}
