import type { UsersDeps } from './deps.ts';
import { userHandlers } from './routes.ts';

/** Staff's list of all users, with support actions. */
export function users(deps: UsersDeps) {
  return { routes: userHandlers(deps) };
}
