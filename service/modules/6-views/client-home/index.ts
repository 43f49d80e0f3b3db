import type { ClientHomeDeps } from './read-client-home.ts';
import { clientHomeHandlers } from './routes.ts';

/** The home page of a client. */
export function clientHome(deps: ClientHomeDeps) {
  return {
    routes: clientHomeHandlers(deps),
  };
}
