import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { createKeptAnswers } from '#platform/kept-answers.ts';
import type { MeteringDeps } from './deps.ts';
import { foldUsage } from './fold-usage.ts';
import { exportLedger, listLedger } from './list-ledger.ts';
import { readQuota } from './read-quota.ts';
import { readUsage } from './read-usage.ts';
import { USAGE_ROWS_MAX, type UsageRow } from './store-usage.ts';

export { foldUsageOf } from './fold-usage.ts';
export { publishCrossings, thresholdsCrossed } from './publish-crossings.ts';
export {
  changeChatBudgets,
  type ChatBudgetFacts,
  type ChatBudgetSettings,
  forgetChatSpending,
  noteReachedBudgets,
  readChatBudgets,
  readChatSpending,
} from './store-chat-budgets.ts';
export { readQuotaFacts } from './store.ts';

/** Reads usage in credits, which is recorded when executions end (finish_executions). */
export function metering(deps: MeteringDeps) {
  const keepUsage = createKeptAnswers<UsageRow[]>(deps.clock, (rows) => rows.length >= USAGE_ROWS_MAX);
  return {
    routes: defineHandlers({
      getQuota: ({ query }, { actor }) => readQuota(deps, actor, query.partnerId),
      getUsage: ({ query }, { actor }) => readUsage({ ...deps, keepUsage }, actor, query),
      listLedger: ({ query }, { actor }) => listLedger(deps, actor, query),
      exportLedger: ({ query }, { actor, now }) => exportLedger(deps, actor, query, now),
    }),
    crons: [defineCron('metering.fold-usage', '* * * * *', (context) => foldUsage(deps, context))],
  };
}
