import { reachedBudget } from '../quota/chat-budget.ts';

/**
 * The order in which an event is checked before it becomes an execution. The SQL function `accept_executions` makes the same decision
 * under its locks; acceptance.test.ts of the executions module compares the two over every combination. Rules: docs/behaviour/executions.md.
 */

/** Why the body of an event cannot be used. It is checked last, so that a broken body says nothing about an account. */
export const BODY_PROBLEMS = ['malformed_json', 'too_large', 'unsupported_media_type', 'validation_failed', 'missing_input'] as const;
export type BodyProblem = (typeof BODY_PROBLEMS)[number];

/** The checks in their order; the first that applies decides. `replayed` is no refusal: the key was used before, and its first answer holds. */
export const ACCEPT_CHECKS = [
  'not_found',
  'replayed',
  'idempotency_key_reused',
  'account_suspended',
  'workflow_inactive',
  'rate_limited',
  'quota_exceeded',
  'failures_exceeded',
  'body_problem',
  'chat_budget_exceeded',
] as const;
type Check = (typeof ACCEPT_CHECKS)[number];
export type AcceptDecision = 'accepted' | Exclude<Check, 'body_problem'> | BodyProblem;

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
 * Of a partner: credits used or held before the batch and the limit; runs that failed today, and how many may (core/quota/failures.ts); credits that chatbots
 * used or hold of them, and the percentage that they may (core/quota/chat-budget.ts), all of them when left out.
 */
export type CreditFacts = {
  taken: number;
  limit: number;
  failed: number;
  failedFree: number;
  chat?: { taken: number; sharePercent: number };
};

/**
 * Decides a batch of events, in order: credits wanted by an earlier event of the batch are gone for a later one. Runs of chatbots come after all events of the
 * batch, so that they take no credits from one. Returns one decision per event. A partner without a quota has no credits.
 */
export function decideEvents(events: readonly EventFacts[], credits: ReadonlyMap<string, CreditFacts>): AcceptDecision[] {
  const wanted = new Map<string, number>();
  const wantedByChats = new Map<string, number>();
  const decideAll = (areChats: boolean): (AcceptDecision | null)[] =>
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
): AcceptDecision {
  const refused = refusalBeforeCredits(event);
  if (refused !== null) return refused;
  const total = event.bodyProblem === null ? want(wanted, event) : 0;
  const ofChats = event.isChat && event.bodyProblem === null ? want(wantedByChats, event) : 0;
  if (!quota || quota.taken + event.cost > quota.limit) return 'quota_exceeded';
  if (quota.failed >= quota.failedFree) return 'failures_exceeded';
  if (event.bodyProblem !== null) return event.bodyProblem;
  if (quota.taken + total > quota.limit) return 'quota_exceeded';
  if (!event.isChat) return 'accepted';
  const { taken, limit, chat = { taken: 0, sharePercent: 100 } } = quota;
  const agency = {
    taken: taken + total - event.cost,
    limit,
    chatTaken: chat.taken + ofChats - event.cost,
    sharePercent: chat.sharePercent,
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

const REFUSED_FOR_ALL: readonly string[] = [
  'not_found',
  'account_suspended',
  'workflow_inactive',
  'quota_exceeded',
  'failures_exceeded',
  'chat_budget_exceeded',
];

/** Returns whether a refusal of one event of a workflow holds for the next ones as well, regardless of content and pace. */
export function isRefusedForAll(outcome: string): boolean {
  return REFUSED_FOR_ALL.includes(outcome);
}

/** Returns whether this outcome is decided before the rate limit, so that the event does not count against it. */
export function isDecidedBeforeRate(outcome: string): boolean {
  const checks: readonly string[] = ACCEPT_CHECKS.slice(0, ACCEPT_CHECKS.indexOf('rate_limited'));
  return checks.includes(outcome);
}

/** Returns the problem of a body: one found while reading it, then its nesting and size, then what the template misses in it. */
export function bodyProblemOf(body: {
  unreadable: BodyProblem | null;
  isTooDeep: boolean;
  isTooLarge: boolean;
  missing: number;
}): BodyProblem | null {
  if (body.unreadable !== null) return body.unreadable;
  if (body.isTooDeep) return 'validation_failed';
  if (body.isTooLarge) return 'too_large';
  return body.missing > 0 ? 'missing_input' : null;
}
