import { defineFact } from '#platform/facts.ts';

export type HandedOff = {
  partnerId: string;
  clientId: string;
  conversationId: string;
  clientName: string;
  visitorLabel: string;
  /** Of the hand-over: each is notified once. */
  turnId: string;
  /** False while many visitors of the client wait already. */
  isMailed: boolean;
};

/** A conversation waits for a person. */
export const conversationHandedOff = defineFact<HandedOff>('conversation.handed_off');
/** A chatbot failed so often in a row that it counts as failing, or answers again. */
export const chatbotAnswersChanged = defineFact<{ partnerId: string; clientId: string }>('chatbot.answers_changed');
