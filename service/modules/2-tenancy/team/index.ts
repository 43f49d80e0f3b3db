import type { TeamDeps } from './deps.ts';
import { teamHandlers } from './routes.ts';

/** Members of a partner: list, permissions, removal. They join by invitation. */
export function team(deps: TeamDeps) {
  return { routes: teamHandlers(deps) };
}
