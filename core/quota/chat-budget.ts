/**
 * Budgets of an agency for conversations with visitors: per day (UTC) for one conversation, for the visitors behind one network and for one
 * chatbot, a share of the agency's period for all its chatbots, and a reserve that is kept for events. All in credits. Browser-safe.
 */

/** Budgets of a new agency; its admins change them. */
export const CHAT_BUDGET_DEFAULTS = { sharePercent: 40, conversationCredits: 60, visitorCredits: 120, chatbotCredits: 300 } as const;
/** Share of a period's credits that chats never use, so that a missed call is still texted. */
export const EVENT_RESERVE_PERCENT = 10;

/** Budgets in the order in which they are looked at: the first that has no room is the one that is named. */
export const CHAT_BUDGETS = ['conversation', 'visitor', 'chatbot', 'quota', 'share', 'reserve'] as const;
export type ChatBudget = (typeof CHAT_BUDGETS)[number];

/** Credits that are used or held, and how many may be; null when there is none, as of a visitor whose address is not known. */
export type Spending = { taken: number; limit: number } | null;
export type ChatFacts = {
  conversation: Spending;
  visitor: Spending;
  chatbot: Spending;
  /** Credits of the agency's period: all that are used or held, and those that chatbots used or hold. */
  agency: { taken: number; limit: number; chatTaken: number; sharePercent: number };
};

/** Returns the credits that chatbots may use in a period with this limit. */
export function shareCredits(limit: number, sharePercent: number): number {
  return Math.floor((limit * sharePercent) / 100);
}

/** Returns how many credits of a period chatbots may not take. */
export function reserveCredits(limit: number): number {
  return Math.ceil((limit * EVENT_RESERVE_PERCENT) / 100);
}

/**
 * Returns the budget that has no room for an answer; null when all have. `counted`: what it weighs for the budgets of the day. `wanted`: what it may cost
 * the agency, none with its own key. The SQL functions `reserve_ai_call` and `hold_chat_budgets` decide the same under the lock of the quota.
 */
export function reachedBudget(facts: ChatFacts, counted: number, wanted: number): ChatBudget | null {
  for (const name of ['conversation', 'visitor', 'chatbot'] as const) {
    const spending = facts[name];
    if (spending && spending.taken + counted > spending.limit) return name;
  }
  if (wanted === 0) return null;
  const { taken, limit, chatTaken, sharePercent } = facts.agency;
  if (taken + wanted > limit) return 'quota';
  if (chatTaken + wanted > shareCredits(limit, sharePercent)) return 'share';
  return taken + wanted > limit - reserveCredits(limit) ? 'reserve' : null;
}

const DAY_MS = 86_400_000;

/** Returns the next midnight UTC, at which the budgets of the day begin again. */
export function nextDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}

/** Returns what an answer weighs for the budgets of the day: its credits, or with the agency's own key one for each started thousand tokens. */
export function chatWeight(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  credits: number,
  isOwnKey: boolean,
): number {
  return isOwnKey ? Math.min(Math.ceil((inputTokens + outputTokens) / 1_000), WEIGHT_MAX) : credits;
}

const WEIGHT_MAX = 100_000;
