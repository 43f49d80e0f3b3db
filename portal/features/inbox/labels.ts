import type { Messages } from '@partner-portal/messages/messages.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import type { Conversation, Shown } from '../../queries/inbox.ts';

type Translate = Messages['t'];

export function shownWord(t: Translate, shown: Shown): string {
  return t(`inbox.shown-${shown}`);
}

export function reasonOf(t: Translate, reason: Conversation['handoffReason']): string {
  return reason === null ? '' : t(`inbox.why-${reason}`);
}

/** What the state of a conversation is called, with its mark. */
export function stateOf(
  t: Translate,
  { status, assignedTo, waitingSince }: Pick<Conversation, 'status' | 'assignedTo' | 'waitingSince'>,
): { mark: MarkKind; word: string } {
  switch (status) {
    case 'closed':
      return { mark: 'skip', word: t('inbox.state-closed') };
    case 'open':
      return { mark: 'live', word: t('inbox.state-open') };
    case 'handed_off':
      if (waitingSince !== null && assignedTo?.name) return { mark: 'warn', word: t('inbox.state-taken', { name: assignedTo.name }) };
      if (waitingSince !== null) return { mark: 'warn', word: t('inbox.state-waiting') };
      return { mark: 'ok', word: assignedTo?.name ? t('inbox.state-with', { name: assignedTo.name }) : t('inbox.state-person') };
  }
}

/** Says who is writing; a visitor has no name. */
export function typingText(t: Translate, { name }: { name: string }): string {
  return t('inbox.typing', { name: name || t('inbox.the-visitor') });
}

/** Says that another person answers a conversation. */
export function answeringText(t: Translate, { name }: { name: string }): string {
  return name ? t('inbox.someone-answering', { name }) : t('inbox.another-answering');
}
