import type { Template } from '@house/core/template-types.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { partnerHandlers } from './routes.ts';

export { listLatestRuns } from './store-summary.ts';

export type PartnersModuleDeps = {
  db: Database;
  cursors: Cursors;
  /** Public address of the portal. */ baseUrl: string;
  catalog: readonly Template[];
};

/** Agencies: created and suspended by staff, shown and changed by themselves. */
export function partners(deps: PartnersModuleDeps) {
  return { routes: partnerHandlers(deps) };
}
