import type { SavedFiltersDeps } from './keep-filters.ts';
import { savedFilterHandlers } from './routes.ts';

export type { SavedFiltersDeps } from './keep-filters.ts';

/** Filters of tables that a user keeps under a name. No one else reads or changes them. */
export function savedFilters(deps: SavedFiltersDeps) {
  return { routes: savedFilterHandlers(deps) };
}
