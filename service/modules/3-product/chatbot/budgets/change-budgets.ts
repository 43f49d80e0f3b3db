import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { changeChatBudgets, type ChatBudgetSettings } from '#modules/1-ledger/metering/index.ts';
import { recordFact } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import type { ChatbotDeps } from '../deps.ts';
import { chatBudgetsChanged } from '../facts.ts';
import { budgetsOf, withAgency } from './read-budgets.ts';

type Change = { partnerId?: string | undefined } & { [Name in keyof ChatBudgetSettings]?: number | undefined };

/** Changes the budgets that are sent, from the next answer on. */
export function changeBudgets(deps: Pick<ChatbotDeps, 'db' | 'clock'>, caller: RequestContext, { partnerId: named, ...change }: Change) {
  const { actor } = caller;
  return withAgency(deps, actor, { partnerId: named }, 'validation_failed', async (tx, partnerId) => {
    const changed = await changeChatBudgets(tx, partnerId, change, (changedAt) =>
      // A form that was loaded with a record never matches one that did not exist.
      requireMatch(caller.header('if-match'), changedAt ?? new Date(0)),
    );
    const { before, after } = changed ?? refuse('not_found');
    const changes = changesBetween(before, after);
    if (Object.keys(changes).length > 0) {
      await recordFact(tx, chatBudgetsChanged, { partnerId });
      await recordAudit(tx, {
        partnerId,
        actor,
        action: 'chat_budgets.changed',
        target: { type: 'partner', id: partnerId },
        changes,
        origin: originOf(caller),
      });
    }
    return budgetsOf(deps, tx, partnerId, undefined);
  });
}
