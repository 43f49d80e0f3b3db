import type { Database } from '#platform/db/tx.ts';
import { planHandlers } from './routes.ts';

export { requireCurrency } from './change-plan.ts';
export { findPlans, type PlanRow } from './store.ts';

/** Plans of workspaces. They are global; staff create, change and retire them. */
export function plans(deps: { db: Database }) {
  return {
    routes: planHandlers(deps),
  };
}
