import type { MissingKey } from '#modules/3-product/credentials/index.ts';

/** Missing keys that the overview shows. */
export const MISSING_SHOWN = 20;

/** Sorts missing keys by provider and the name of the client; those of the agency itself come last. */
export function sortMissing(keys: readonly MissingKey[]): MissingKey[] {
  return keys.toSorted(
    (a, b) =>
      compare(a.provider, b.provider) ||
      Number(a.clientId === null) - Number(b.clientId === null) ||
      compare(a.clientName ?? '', b.clientName ?? ''),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
