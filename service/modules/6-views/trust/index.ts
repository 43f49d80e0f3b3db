import type { Cursors } from '#platform/http/cursor.ts';
import type { TrustDeps } from './read-trust.ts';
import { trustHandlers } from './routes.ts';

/** Facts for a client about its data: how it is processed, who looked at it, who has access. */
export function trust(deps: TrustDeps & { cursors: Cursors }) {
  return {
    routes: trustHandlers(deps),
  };
}
