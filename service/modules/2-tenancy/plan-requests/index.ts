import type { PlanRequestDeps } from './deps.ts';
import { planRequestHandlers } from './routes.ts';

/** Applications for a workspace and requests for other terms, decided by staff. */
export function planRequests(deps: PlanRequestDeps) {
  return {
    routes: planRequestHandlers(deps),
  };
}
