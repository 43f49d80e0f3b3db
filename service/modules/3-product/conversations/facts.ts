import { defineFact } from '#platform/facts.ts';

export type HandedOff = {
  partnerId: string;
  clientId: string;
  conversationId: string;
  clientName: string;
  visitorLabel: string;
  /** The turn of the hand-over: each is notified once. */
  turnId: string;
  /** False while many visitors of the client wait already. */
  isMailed: boolean;
  /** The hand-over address, if it was mailed. */
  mailedTo?: string | null;
};

/** A conversation waits for a person. */
export const conversationHandedOff = defineFact<HandedOff>('conversation.handed_off');
export type WaitReminded = Omit<HandedOff, 'turnId'> & { waitingSince: Date };
/** A visitor has waited for the minutes of the settings, and no one has answered: once for each wait. */
export const visitorWaitReminded = defineFact<WaitReminded>('visitor_wait.reminded');
export type WaitEnded = {
  partnerId: string;
  clientId: string;
  conversationId: string;
  waitingSince: Date;
  endedAt: Date;
};

/** A visitor waits for a person no longer: one replied, the conversation was closed or given back to the chatbot, or the client was archived. */
export const visitorWaitEnded = defineFact<WaitEnded>('visitor_wait.ended');
/** A chatbot failed so often in a row that it counts as failing, or answers again. */
export const chatbotAnswersChanged = defineFact<{ partnerId: string; clientId: string }>('chatbot.answers_changed');
