import type { FilterValues } from '../queries/saved-filters.ts';

/** Returns the filters among the members of a page's address, as they are saved. */
export function filtersIn(search: Readonly<Record<string, unknown>>, keys: readonly string[]): FilterValues {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = search[key];
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[key, value]] : [];
    }),
  );
}

/** Whether two sets of filters are the same, in any order. */
export function areSame(one: FilterValues, other: FilterValues): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => String(one[name]) === String(other[name]));
}

/**
 * Returns the address's members with a saved filter applied: other filters are removed, and the item open next to the list is closed. The client of the
 * switcher stays when the filter names none.
 */
export function applyFilter(search: Readonly<Record<string, unknown>>, saved: FilterValues, keys: readonly string[]): FilterValues {
  const allowed = filtersIn(saved, keys);
  return allowed.client === undefined && typeof search.client === 'string' ? { client: search.client, ...allowed } : allowed;
}
