import type { TermsDeps } from './deps.ts';
import { termsHandlers } from './routes.ts';

/** Part of billing: the plan, its overrides and what follows from changing them. */
export function terms(deps: TermsDeps) {
  return {
    routes: termsHandlers(deps),
    jobs: [],
    crons: [],
  };
}
