import { defineHandlers } from '#platform/http/context.ts';
import { readActivity, readClientsActivity } from './read-activity.ts';
import { type OverviewDeps, readOverview } from './read-overview.ts';

/** The partner's dashboard. */
export function overview(deps: OverviewDeps) {
  return {
    routes: defineHandlers({
      getMySummary: ({ query }, context) => readOverview(deps, context, query.clientId),
      getActivity: ({ query }, context) => readActivity(deps, context, query),
      getClientsActivity: ({ query }, context) => readClientsActivity(deps, context, query.sort),
    }),
  };
}
