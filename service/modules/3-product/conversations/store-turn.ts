import type { ConversationStatus, HandoffReason, Locale, MessageAuthor, TurnState } from '@partner-portal/contract/vocabulary.ts';
import type { ChatBudget } from '@partner-portal/core/quota/chat-budget.ts';
import type { JsonObject } from '@partner-portal/core/template/types.ts';

/** A turn and its end, which the folders of this module share. */

export type HistoryMessage = { author: MessageAuthor; text: string };

export type TurnOutcome = {
  kind: 'succeeded' | 'failed' | 'refused' | 'unavailable' | 'unknown';
  summary: string;
  output: JsonObject | null;
  refusal?: string;
};

/** A turn that this process holds. */
export type Turn = {
  id: string;
  partnerId: string;
  clientId: string;
  conversationId: string;
  chatbotId: string;
  state: TurnState;
  uptoMessageId: string;
  intent: string | null;
  workflowId: string | null;
  inputs: JsonObject | null;
  outcome: TurnOutcome | null;
  attempts: number;
  startedAt: Date;
  history: HistoryMessage[];
  /** In which the visitor is addressed. */
  locale: Locale;
  /** The visitor's address; null once another process continues the turn. */
  address: string | null;
  /** The visitor's network, for its budget: a keyed hash that does not reveal the address. */
  visitor: string | null;
};

export type Settlement = {
  state: 'done' | 'failed';
  /** Empty: nothing is said. */
  reply: string;
  passages: readonly { documentId: string; title: string; heading: string; excerpt: string }[];
  error: string | null;
  handoff: HandoffReason | null;
  firstTokenMs: number | null;
  /** Whether the model answered; null when it was not to, or the credits are used up. */
  hasAnswered: boolean | null;
  /** Whether the agent did its work; null when none was to run. */
  hasRun: boolean | null;
  /** Budgets that had no room, and the credits that it needed. */
  reached: { budgets: readonly ChatBudget[]; wanted: number } | null;
};

export type Settled = {
  /** Null: nothing was said, or a person was quicker. */
  messageId: string | null;
  messageAt: Date | null;
  status: ConversationStatus;
  humanName: string | null;
  isHandedOff: boolean;
  visitorLabel: string;
  lastVisitorText: string | null;
  /** Turns without an answer in a row; null when the count did not change. */
  failures: number | null;
  /** Agents fail from now on, or work again. */
  isRunChanged: boolean;
  nextTurn: string | null;
  nextUpto: string | null;
  history: HistoryMessage[] | null;
};
