import { defineHandlers } from '#platform/http/context.ts';
import { readActivity, readClientsActivity } from './read-activity.ts';
import { readNavigationCounts } from './read-counts.ts';
import { type OverviewDeps, readOverview } from './read-overview.ts';

export function overviewHandlers(deps: OverviewDeps) {
  return defineHandlers({
    getMySummary: ({ query }, context) => readOverview(deps, context, query.clientId),
    getActivity: ({ query }, context) => readActivity(deps, context, query),
    getMyCounts: (_, { actor }) => readNavigationCounts(deps.db, actor),
    getClientsActivity: ({ query }, context) => readClientsActivity(deps, context, query.sort),
  });
}
