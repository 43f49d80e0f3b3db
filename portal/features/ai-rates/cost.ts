const DIGITS = new Map<string, number>();

function digitsOf(currency: string): number {
  const known = DIGITS.get(currency);
  if (known !== undefined) return known;
  const digits = new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  DIGITS.set(currency, digits);
  return digits;
}

/** Providers publish prices for a million tokens in whole units; stored are minor units for a thousand. */
export function costOf(minorPerThousand: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 4, minimumFractionDigits: 0 });
  return format.format(perMillion(minorPerThousand, currency));
}

export function perMillion(minorPerThousand: number, currency: string): number {
  return Math.round((minorPerThousand * 1_000 * 10_000) / 10 ** digitsOf(currency)) / 10_000;
}

/** Returns minor units for a thousand tokens, with four decimals. */
export function minorPerThousand(perMillionTyped: string, currency: string): number {
  return Math.round(Number(perMillionTyped.trim() || 0) * 10 ** digitsOf(currency) * 10) / 10_000;
}

/** "$0.0042": a sum of fractions of a cent. */
export function sumOf(minor: number, currency: string): string {
  const amount = minor / 10 ** digitsOf(currency);
  const digits = Math.abs(amount) >= 1 || amount === 0 ? 2 : 4;
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: digits }).format(
    amount,
  );
}
