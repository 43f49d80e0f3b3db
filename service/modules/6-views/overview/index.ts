import type { Clock } from '#platform/clock.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { createKeptAnswers } from '#platform/kept-answers.ts';
import { type ClientsActivity, readActivity, readClientsActivity } from './read-activity.ts';
import { type AgencySums, type OverviewDeps, readOverview } from './read-overview.ts';
import { countNavigation } from './store.ts';

/** Sums of so many agents, or clients, may be a minute old. */
const LARGE = 1_000;

/** The partner's dashboard. */
export function overview(deps: Omit<OverviewDeps, 'keepSums'> & { clock: Clock }) {
  const keepSums = createKeptAnswers<AgencySums>(
    deps.clock,
    ({ templates }) => templates.reduce((all, { agents }) => all + agents, 0) >= LARGE,
  );
  const keepActivity = createKeptAnswers<ClientsActivity>(deps.clock, ({ total }) => total >= LARGE);
  return {
    routes: defineHandlers({
      getMySummary: ({ query }, context) => readOverview({ ...deps, keepSums }, context, query.clientId),
      getActivity: ({ query }, context) => readActivity(deps, context, query),
      getMyCounts: (_, { actor }) => deps.db.readAsTenant(actor, (tx) => countNavigation(tx, actor.partnerId)),
      getClientsActivity: ({ query }, context) => readClientsActivity({ ...deps, keepActivity }, context, query.sort),
    }),
  };
}
