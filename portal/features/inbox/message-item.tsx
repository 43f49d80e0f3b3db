import './inbox.css';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { formatMinute, formatUtc } from '../../ui/text/format.ts';
import type { Conversation, Message } from '../../queries/inbox.ts';
import { MessageSources } from './message-sources.tsx';
import { discardReply, type Outgoing, retryReply } from './outgoing.ts';

type ItemProps = {
  message: Message;
  conversation: Conversation;
  /** The day that begins with it. */
  day: string | undefined;
  /** The message before it is of the same author. */
  isFollowing: boolean;
};

/** One message, with what it stands on and the agents that ran for it. */
export function MessageItem({ message, conversation, day, isFollowing }: ItemProps) {
  const { t } = useMessages();
  const { author, text, at } = message;
  return (
    <>
      {day === undefined ? null : (
        <li className="inbox-day">
          <span>{day}</span>
        </li>
      )}
      <li className={clsx('inbox-message', isFollowing && 'inbox-message-following')} data-author={author}>
        <p className="inbox-message-by">
          <b>{nameOf(t, message, conversation)}</b>{' '}
          <time dateTime={at} title={formatUtc(at)}>
            {formatMinute(at)}
          </time>
        </p>
        <Bubble>{text}</Bubble>
        <MessageSources message={message} />
      </li>
    </>
  );
}

function nameOf(t: Messages['t'], { author, authorName }: Message, { visitorLabel }: Conversation): string {
  switch (author) {
    case 'visitor':
      return visitorLabelFor(t, visitorLabel);
    case 'bot':
      return t('inbox.bot');
    case 'human':
      return authorName || t('inbox.a-person');
  }
}

/** A reply on its way, or one that was not sent. */
export function OutgoingItem({ conversationId, reply }: { conversationId: string; reply: Outgoing }) {
  const { t } = useMessages();
  const { text, problem, clientMessageId } = reply;
  return (
    <li className="inbox-message" data-author="human">
      <Bubble>{text}</Bubble>
      {problem === undefined ? (
        <p className="inbox-message-note">{t('inbox.sending')}</p>
      ) : (
        <div role="alert" className="inbox-message-note flex flex-wrap items-center justify-end gap-2 text-bad">
          <Mark kind="bad" />
          <span>{t('inbox.not-sent', { problem })}</span>
          <Button size="sm" onClick={() => retryReply(conversationId, reply)}>
            {t('inbox.send-again')}
          </Button>
          <Button size="sm" kind="quiet" onClick={() => discardReply(conversationId, clientMessageId)}>
            {t('ui.discard')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The reply that the chatbot is writing. */
export function WritingItem({ text }: { text: string }) {
  const { t } = useMessages();
  return (
    <li className="inbox-message" data-author="bot">
      <p className="inbox-message-by">
        <b>{t('inbox.bot')}</b> {t('inbox.is-answering')}
      </p>
      <Bubble>{text}</Bubble>
    </li>
  );
}

function Bubble({ children }: { children: ReactNode }) {
  return (
    <p className="inbox-bubble" dir="auto">
      {children}
    </p>
  );
}
