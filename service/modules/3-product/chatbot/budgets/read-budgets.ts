import { nextDay, reachedBudget } from '@partner-portal/core/quota/chat-budget.ts';
import { type ChatBudgetFacts, readChatBudgets, readChatSpending, rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import type { ChatbotDeps } from '../deps.ts';
import { requireChatbotFeature } from '../require-feature.ts';
import { listChatbotNames } from './store.ts';

type Named = { partnerId?: string | undefined; clientId?: string | undefined };
type BudgetDeps = Pick<ChatbotDeps, 'db' | 'clock'>;

const LISTED_MAX = 10;

/** Returns the budgets of an agency for conversations and their use so far; with a client, only that client's chatbot is listed. */
export function readBudgets(deps: BudgetDeps, actor: Actor, named: Named) {
  return withAgency(deps, actor, named, 'invalid_query', (tx, partnerId) => budgetsOf(deps, tx, partnerId, named.clientId));
}

/**
 * Runs one transaction for the agency of the caller, or the one that staff name. Refuses `not_found`, and `plan_feature_required`. `missing`: the code for
 * staff who name none.
 */
export function withAgency<T>(
  { db }: Pick<BudgetDeps, 'db'>,
  actor: Actor,
  named: Named,
  missing: 'invalid_query' | 'validation_failed',
  work: (tx: Tx, partnerId: string) => Promise<T>,
): Promise<T> {
  return inScope(db, actor, named.partnerId, async (tx, scope) => {
    const client = named.clientId === undefined ? undefined : ((await findClientRef(tx, named.clientId)) ?? refuse('not_found'));
    const partnerId = scope ?? client?.partnerId ?? refuseUnnamed(missing);
    if (client && client.partnerId !== partnerId) refuse('not_found');
    if (scope !== null && actor.role === 'ADMIN' && !(await findPartnerRef(tx, partnerId))) refuse('not_found');
    await requireChatbotFeature(tx, partnerId);
    return work(tx, partnerId);
  });
}

function refuseUnnamed(code: 'invalid_query' | 'validation_failed'): never {
  const message = 'Name the agency whose budgets you mean, by partnerId.';
  throw new AppError(code, { detail: message, errors: [{ field: 'partnerId', code: 'required', message }] });
}

export async function budgetsOf({ clock }: Pick<BudgetDeps, 'clock'>, tx: Tx, partnerId: string, clientId: string | undefined) {
  const now = clock.now();
  // Closes a period that ended.
  await rollAndReadQuota(tx, partnerId, now);
  const facts = (await readChatBudgets(tx, partnerId)) ?? refuse('not_found');
  const { sharePercent, conversationCredits, visitorCredits, chatbotCredits, chatUsed, chatInFlight, resetsAt, changedAt } = facts;
  return {
    sharePercent,
    conversationCredits,
    visitorCredits,
    chatbotCredits,
    period: {
      used: chatUsed,
      inFlight: chatInFlight,
      limit: facts.share,
      reserve: facts.limit - facts.ceiling,
      resetsAt,
      stoppedBy: stoppedBy(facts),
    },
    today: { resetsAt: nextDay(now), chatbots: await listToday(tx, partnerId, clientId) },
    updatedAt: changedAt,
  };
}

function stoppedBy({ chatUsed, chatInFlight, isShareReached, isReserveReached, ...period }: ChatBudgetFacts) {
  const agency = { ...period, chatTaken: chatUsed + chatInFlight };
  const reached = reachedBudget({ conversation: null, visitor: null, chatbot: null, agency }, 0, 1);
  if (reached === 'quota' || reached === 'share' || reached === 'reserve') return reached;
  if (isShareReached) return 'share';
  return isReserveReached ? 'reserve' : null;
}

async function listToday(tx: Tx, partnerId: string, clientId: string | undefined) {
  const named = clientId === undefined ? undefined : await listChatbotNames(tx, partnerId, { clientId });
  if (named?.length === 0) return [];
  const spending = await readChatSpending(tx, partnerId, named?.[0]?.id ?? null, LISTED_MAX);
  const chatbots = named ?? (await listChatbotNames(tx, partnerId, { ids: spending.map(({ chatbotId }) => chatbotId) }));
  if (named && spending.length === 0) spending.push({ chatbotId: named[0]?.id ?? '', used: 0, held: 0, isReached: false });
  return spending.flatMap(({ chatbotId, used, held, isReached }) => {
    const one = chatbots.find(({ id }) => id === chatbotId);
    return one ? [{ chatbotId, clientId: one.clientId, clientName: one.clientName, name: one.name, used, inFlight: held, isReached }] : [];
  });
}
