import type { HandoffReason } from '@partner-portal/contract/vocabulary.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import type { Conversation, Shown } from '../../queries/inbox.ts';

export const SHOWN_WORDS: Record<Shown, string> = {
  unread: 'Unread',
  waiting: 'Waiting',
  open: 'Chatbot',
  handed_off: 'Person',
  closed: 'Closed',
};

const REASONS: Record<HandoffReason, string> = {
  visitor: 'The visitor asked for a person.',
  unsure: 'The chatbot did not know the answer.',
  phrase: 'The visitor used a phrase that hands over.',
  quota: 'The credits of this period are used.',
  failure: 'The chatbot could not answer.',
  taken_over: 'A person took over.',
};

export function reasonOf(reason: Conversation['handoffReason']): string {
  return reason === null ? '' : REASONS[reason];
}

/** What the state of a conversation is called, with its mark. */
export function stateOf({ status, assignedTo, waitingSince }: Pick<Conversation, 'status' | 'assignedTo' | 'waitingSince'>): {
  mark: MarkKind;
  word: string;
} {
  if (status === 'closed') return { mark: 'skip', word: 'Closed' };
  if (status === 'open') return { mark: 'live', word: 'Chatbot answers' };
  if (waitingSince !== null) return { mark: 'warn', word: 'Waiting for a person' };
  return { mark: 'ok', word: assignedTo ? `With ${assignedTo.name || 'a person'}` : 'With a person' };
}
