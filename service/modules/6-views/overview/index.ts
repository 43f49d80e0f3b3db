import type { Clock } from '#platform/clock.ts';
import type { OverviewDeps } from './read-overview.ts';
import { overviewHandlers } from './routes.ts';

/** The partner's dashboard. */
export function overview(deps: OverviewDeps & { clock: Clock }) {
  return { routes: overviewHandlers(deps) };
}
