import { decimalsOf, majorOf } from './currency.ts';

/** Amounts are integers in minor units of one ISO 4217 currency. */

/** A fraction of a price: `days` of `of` days. */
export type Share = { days: number; of: number };

/**
 * Returns numerator / denominator as an integer, ties to even. `denominator` is positive. Exact for products beyond 2^53.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): number {
  const isNegative = numerator < 0n;
  const size = isNegative ? -numerator : numerator;
  let quotient = size / denominator;
  const twice = (size % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  return Number(isNegative ? -quotient : quotient);
}

/** Returns the amount of one line in minor units: quantity × unit price, for a share of the period. Rounds once, half to even. */
export function lineAmount(quantity: number, unitPriceMinor: number, share: Share = { days: 1, of: 1 }): number {
  return divideHalfEven(BigInt(quantity) * BigInt(unitPriceMinor) * BigInt(share.days), BigInt(share.of));
}

/** Returns the tax in minor units on a subtotal. `rateBasisPoints`: 1900 is 19 %. Rounds once, half to even. */
export function taxOn(subtotalMinor: number, rateBasisPoints: number): number {
  return divideHalfEven(BigInt(subtotalMinor) * BigInt(rateBasisPoints), 10_000n);
}

/** Formats an amount, for example "$29.00" for 2900 USD in en-US. Its decimals are those of ISO 4217. */
export function formatMoney(amountMinor: number, currency: string, locale = 'en-US'): string {
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(majorOf(amountMinor, currency));
}

/** Formats an estimate in whole units, for example "$1,235" for 123450 USD. */
export function formatRoughly(amountMinor: number, currency: string, tag: string): string {
  return new Intl.NumberFormat(tag, { style: 'currency', currency, maximumFractionDigits: 0 }).format(majorOf(amountMinor, currency));
}
