import { defineHandlers } from '#platform/http/context.ts';
import { readActivity, readClientsActivity } from './read-activity.ts';
import { type OverviewDeps, readOverview } from './read-overview.ts';
import { countNavigation } from './store.ts';

/** The partner's dashboard. */
export function overview(deps: OverviewDeps) {
  return {
    routes: defineHandlers({
      getMySummary: ({ query }, context) => readOverview(deps, context, query.clientId),
      getActivity: ({ query }, context) => readActivity(deps, context, query),
      getMyCounts: (_, { actor }) => deps.db.readAsTenant(actor, (tx) => countNavigation(tx, actor.partnerId)),
      getClientsActivity: ({ query }, context) => readClientsActivity(deps, context, query.sort),
    }),
  };
}
