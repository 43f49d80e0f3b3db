import type { Database } from '#platform/db/tx.ts';
import { staffOverviewHandlers } from './routes.ts';

export { countAccounts } from './store.ts';

/** The overview of staff. */
export function staffOverview(deps: { db: Database }) {
  return { routes: staffOverviewHandlers(deps) };
}
