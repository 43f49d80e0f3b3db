import type { ConversationStatus } from '@partner-portal/contract/vocabulary.ts';

/** The status of a conversation says who answers it and who may change that. Browser-safe: the inbox disables actions that would be refused. */

export type ConversationState = {
  status: ConversationStatus;
  /** The person who answers; null while the chatbot does, and while a hand-over waits for a person. */
  assignedTo: { id: string; name: string } | null;
};

export const INBOX_ACTIONS = ['take_over', 'reply', 'give_back', 'close'] as const;
export type InboxAction = (typeof INBOX_ACTIONS)[number];

export type InboxDecision =
  | { kind: 'refused'; detail: string }
  /** It is so already. */
  | { kind: 'unchanged' }
  | { kind: 'changed'; status: ConversationStatus; isAssigned: boolean };

/**
 * Decides an action of a person. A reply to a conversation that the chatbot answers takes it over. Two people never answer the same
 * visitor: the second learns who does, and may give the conversation back first.
 */
export function decideInboxAction(action: InboxAction, { status, assignedTo }: ConversationState, userId: string): InboxDecision {
  if (status === 'closed') {
    if (action === 'close') return { kind: 'unchanged' };
    return { kind: 'refused', detail: 'This conversation is closed. It opens again when its visitor writes.' };
  }
  switch (action) {
    case 'close':
      return { kind: 'changed', status: 'closed', isAssigned: false };
    case 'give_back':
      return status === 'open' ? { kind: 'unchanged' } : { kind: 'changed', status: 'open', isAssigned: false };
    case 'take_over':
    case 'reply': {
      if (assignedTo !== null && assignedTo.id !== userId)
        return { kind: 'refused', detail: `${assignedTo.name || 'Another person'} is answering this conversation.` };
      const isMine = status === 'handed_off' && assignedTo !== null;
      return isMine ? { kind: 'unchanged' } : { kind: 'changed', status: 'handed_off', isAssigned: true };
    }
  }
}
