import type { StopListDeps } from './read-stop-list.ts';
import { stopListHandlers } from './routes.ts';

/** The contacts whom no agent of a client writes to. Texts put contacts on it themselves (3-product/executions). */
export function stopList(deps: StopListDeps) {
  return {
    routes: stopListHandlers(deps),
  };
}
