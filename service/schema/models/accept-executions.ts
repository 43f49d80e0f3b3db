import type { AcceptDecision, BodyProblem } from '@partner-portal/core/execution/acceptance.ts';
import { reachedBudget } from '@partner-portal/core/quota/chat-budget.ts';
import { hasRoom } from '@partner-portal/core/quota/quota.ts';

/**
 * Model of the SQL function `accept_executions`, which decides under its locks; acceptance.test.ts of the executions module compares the two over every
 * combination. A change of the rule is a change of the function, and then of this. Rules: docs/behaviour/executions.md.
 */

/** Days of a plan's average use whose runs may all fail on one day. */
const DAYS = 2;
const DAYS_A_PERIOD = 30;

export type EventFacts = {
  partnerId: string;
  /** The workflow exists and the caller may use it. */
  isFound: boolean;
  /** Partner, client and subscription may run agents. */
  isAccountActive: boolean;
  /** The agent is switched on and installed. */
  isWorkflowActive: boolean;
  isOverRate: boolean;
  /** Its Idempotency-Key has an execution of the last 24 hours. */
  isReplay: boolean;
  /** The execution of its Idempotency-Key began with another body. */
  isOtherBody: boolean;
  bodyProblem: BodyProblem | null;
  /** Credits that one execution holds. */
  cost: number;
  /** A visitor's turn starts it. */
  isChat?: boolean;
};
/**
 * A partner's credits: used or held before the batch, and the limit; runs that failed today, and how many may (`freeFailures`); credits that chatbots
 * used or hold, and their percentage of the limit (core/quota/chat-budget.ts), all of it when left out.
 */
export type CreditFacts = {
  taken: number;
  limit: number;
  failed: number;
  failedFree: number;
  chat?: { taken: number; sharePercent: number };
};

type Decision = AcceptDecision | 'retry';

/**
 * Decides a batch of events, in order: credits wanted by an earlier event of the batch that they would suffice for are gone for a later one. Runs of chatbots come after all events of the
 * batch, so that they take no credits from one. Returns one decision per event; `retry`: those before it may not get the credits that they want, so it is decided
 * again after them. A partner without a quota has no credits.
 */
export function decideEvents(events: readonly EventFacts[], credits: ReadonlyMap<string, CreditFacts>): Decision[] {
  const wanted = new Map<string, number>();
  const wantedByChats = new Map<string, number>();
  const decideAll = (areChats: boolean): (Decision | null)[] =>
    events.map((event) =>
      (event.isChat ?? false) === areChats ? decide(event, credits.get(event.partnerId), wanted, wantedByChats) : null,
    );
  const [ofEvents, ofChats] = [decideAll(false), decideAll(true)];
  return events.map((_, at) => ofEvents[at] ?? ofChats[at] ?? 'not_found');
}

function decide(
  event: EventFacts,
  quota: CreditFacts | undefined,
  wanted: Map<string, number>,
  wantedByChats: Map<string, number>,
): Decision {
  const refused = refusalBeforeCredits(event);
  if (refused !== null) return refused;
  if (!quota || !hasRoom(quota, event.cost)) return 'quota_exceeded';
  const total = event.bodyProblem === null ? want(wanted, event) : 0;
  const ofChats = event.isChat && event.bodyProblem === null ? want(wantedByChats, event) : 0;
  if (quota.failed >= quota.failedFree) return 'failures_exceeded';
  if (event.bodyProblem !== null) return event.bodyProblem;
  if (!hasRoom(quota, total)) return 'retry';
  if (!event.isChat) return 'accepted';
  const { taken, limit, chat = { taken: 0, sharePercent: 100 } } = quota;
  const agency = {
    taken: taken + total - event.cost,
    limit,
    chatTaken: chat.taken + ofChats - event.cost,
    share: Math.floor((limit * chat.sharePercent) / 100),
    ceiling: limit - Math.ceil(limit / 10),
  };
  return reachedBudget({ conversation: null, visitor: null, chatbot: null, agency }, event.cost, event.cost) === null
    ? 'accepted'
    : 'chat_budget_exceeded';
}

function refusalBeforeCredits(event: EventFacts): AcceptDecision | null {
  if (!event.isFound) return 'not_found';
  if (event.isReplay) return event.isOtherBody ? 'idempotency_key_reused' : 'replayed';
  if (!event.isAccountActive) return 'account_suspended';
  if (!event.isWorkflowActive) return 'workflow_inactive';
  return event.isOverRate ? 'rate_limited' : null;
}

function want(wanted: Map<string, number>, { partnerId, cost }: EventFacts): number {
  const total = (wanted.get(partnerId) ?? 0) + cost;
  wanted.set(partnerId, total);
  return total;
}

/**
 * Returns how many runs of a partner may fail on one day (UTC) before further events are refused. Failed runs cost no credits, so without a
 * limit they would be a free use of the platform. `atLeast` is the setting FAILED_RUNS_FREE_PER_DAY.
 */
export function freeFailures(monthlyCredits: number, atLeast: number): number {
  return Math.max(atLeast, Math.ceil((monthlyCredits * DAYS) / DAYS_A_PERIOD));
}
