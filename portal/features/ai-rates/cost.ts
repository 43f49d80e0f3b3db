import { decimalsOf, majorOf } from '@partner-portal/core/billing/currency.ts';
import { numberFormat } from '../../ui/text/intl.ts';

/** Providers publish prices for a million tokens in whole units; stored are minor units for a thousand. */
export function costOf(minorPerThousand: number, currency: string): string {
  const format = numberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 4, minimumFractionDigits: 0 });
  return format.format(perMillion(minorPerThousand, currency));
}

export function perMillion(minorPerThousand: number, currency: string): number {
  return Math.round((minorPerThousand * 1_000 * 10_000) / 10 ** decimalsOf(currency)) / 10_000;
}

/** Returns minor units for a thousand tokens, with four decimals. */
export function minorPerThousand(perMillionTyped: string, currency: string): number {
  return Math.round(Number(perMillionTyped.trim() || 0) * 10 ** decimalsOf(currency) * 10) / 10_000;
}

/** "$0.0042", "$0.0590", "¥1,200": a sum of fractions of the smallest unit; below one whole unit it has four decimals, as the others of its column. */
export function sumOf(minor: number, currency: string): string {
  const amount = majorOf(minor, currency);
  const decimals = decimalsOf(currency);
  const shown = Math.abs(amount) >= 1 || amount === 0 ? decimals : 4;
  return numberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: shown, maximumFractionDigits: shown }).format(amount);
}
