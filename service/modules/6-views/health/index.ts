import type { HealthDeps } from './deps.ts';
import { healthHandlers } from './routes.ts';

export type { Check, HealthDeps } from './deps.ts';

/** Liveness without the database, readiness with every dependency. Both are public, so they name no addresses and no causes. */
export function health(deps: HealthDeps) {
  return { routes: healthHandlers(deps) };
}
