import { defineCron } from '#platform/jobs/define-job.ts';
import type { MeteringDeps } from './deps.ts';
import { foldUsage } from './fold-usage.ts';
import { meteringHandlers } from './routes.ts';

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
export { rollAndReadQuota } from './store.ts';

/** Reads usage in credits, which is recorded when executions end (finish_executions). */
export function metering(deps: MeteringDeps) {
  return {
    routes: meteringHandlers(deps),
    crons: [defineCron('metering.fold-usage', '* * * * *', (context) => foldUsage(deps, context))],
  };
}
