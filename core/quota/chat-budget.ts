import { type Credits, hasRoom } from './quota.ts';

/**
 * Budgets of an agency for conversations with visitors: per day (UTC) for one conversation, for the visitors behind one network and for one
 * chatbot, a share of the agency's period for all its chatbots, and a reserve that is kept for events. All in credits. Browser-safe.
 */

/** Budgets in the order in which they are looked at: the first that has no room is the one that is named. */
export const CHAT_BUDGETS = ['conversation', 'visitor', 'chatbot', 'quota', 'share', 'reserve'] as const;
export type ChatBudget = (typeof CHAT_BUDGETS)[number];

/** Null when there is none, as of a visitor whose address is not known. */
type Spending = Credits | null;
export type ChatFacts = {
  conversation: Spending;
  visitor: Spending;
  chatbot: Spending;
  /** Credits of the agency's period, those that chatbots used or hold, how many these may, and up to which credit of the period. */
  agency: Credits & { chatTaken: number; share: number; ceiling: number };
};

/**
 * Returns the budget that has no room for an answer; null when all have. `counted`: what it weighs for the budgets of the day. `wanted`: what it may cost
 * the agency, none with its own key. The SQL functions `reserve_ai_call` and `hold_chat_budgets` decide the same under the lock of the quota.
 */
export function reachedBudget(facts: ChatFacts, counted: number, wanted: number): ChatBudget | null {
  for (const name of ['conversation', 'visitor', 'chatbot'] as const) {
    const spending = facts[name];
    if (spending && !hasRoom(spending, counted)) return name;
  }
  if (wanted === 0) return null;
  const { taken, chatTaken, share, ceiling } = facts.agency;
  if (!hasRoom(facts.agency, wanted)) return 'quota';
  if (chatTaken + wanted > share) return 'share';
  return taken + wanted > ceiling ? 'reserve' : null;
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
