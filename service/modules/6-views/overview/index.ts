import type { Template } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { readOverview } from './read-overview.ts';

/** The partner's dashboard. */
export function overview(deps: { db: Database; catalog: readonly Template[] }) {
  return {
    routes: defineHandlers({
      getMySummary: ({ query }, context) => readOverview(deps, context, query.clientId),
    }),
  };
}
