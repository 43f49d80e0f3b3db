import './inbox.css';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { formatLongDay, isSameDay } from '../../ui/text/format.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { MoreFailed } from '../../shared/more-failed.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { type Conversation, type Message, messagesQuery } from '../../queries/inbox.ts';
import { MessageItem, OutgoingItem, WritingItem } from './message-item.tsx';
import { typingText } from './labels.ts';
import { useShortLived } from './live-state.ts';
import { type Outgoing, useOutgoing } from './outgoing.ts';
import { loadMore } from '../../shared/load-more.ts';

/** How far from the end still counts as reading the end. */
const NEAR_PX = 120;

/** Messages from old to new. New ones stay in view while the reader is at the end. */
export function MessageList({ conversation }: { conversation: Conversation }) {
  const { t } = useMessages();
  const { id } = conversation;
  const list = useInfiniteQuery(messagesQuery(id));
  const { typing, reply } = useShortLived(id);
  const outgoing = useOutgoing(id);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const messages = useMemo(() => rowsOf(list).toReversed(), [list]);
  const pending = outgoing.filter((one) => !hasArrived(one, messages));
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    isAtEnd.current = true;
  }, [id, outgoing.length]);
  useLayoutEffect(() => {
    const node = box.current;
    if (node && isAtEnd.current) node.scrollTop = node.scrollHeight;
  }, [id, newest, pending.length, reply?.text, typing, list.isPending]);
  if (list.error && messages.length === 0)
    return (
      <div className="inbox-scroll p-4">
        <ErrorBlock error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  return (
    <div
      ref={box}
      className="inbox-scroll inbox-messages"
      // A scrolled region that holds no control has to take the focus itself, for the arrow keys.
      tabIndex={0}
      role="region"
      aria-label={t('inbox.thread')}
      onScroll={({ currentTarget: node }) => {
        isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_PX;
      }}
    >
      {list.isPending ? <SkeletonRows rows={5} height={52} /> : null}
      {list.hasNextPage ? (
        <div className="text-center">
          <Button size="sm" busy={list.isFetchingNextPage && t('ui.loading')} onClick={() => void loadMore(list)}>
            {t('inbox.earlier')}
          </Button>
          <MoreFailed list={list} />
        </div>
      ) : null}
      <ol className="inbox-message-list">
        {messages.map((message, n) => (
          <MessageItem
            key={message.id}
            message={message}
            conversation={conversation}
            day={isNewDay(messages[n - 1], message) ? dayOf(t, message.at) : undefined}
            isFollowing={isSameSide(messages[n - 1], message)}
          />
        ))}
        {pending.map((one) => (
          <OutgoingItem key={one.clientMessageId} conversationId={id} reply={one} />
        ))}
        {reply ? <WritingItem text={reply.text} /> : null}
      </ol>
      <p className="inbox-typing" role="status">
        {typing ? typingText(t, typing) : ''}
      </p>
    </div>
  );
}

function dayOf(t: Messages['t'], at: string): string {
  return isSameDay(new Date(at), new Date()) ? t('inbox.today') : formatLongDay(at);
}

function isNewDay(before: Message | undefined, message: Message): boolean {
  return before === undefined || !isSameDay(new Date(before.at), new Date(message.at));
}

function isSameSide(before: Message | undefined, message: Message): boolean {
  return before !== undefined && before.author === message.author && before.authorName === message.authorName && !isNewDay(before, message);
}

/** The stream may bring a reply before the answer to its request does. */
function hasArrived({ text, at, problem }: Outgoing, messages: readonly Message[]): boolean {
  const sentAt = Date.parse(at) - 5_000;
  return (
    problem === undefined && messages.some((one) => one.author === 'human' && one.text === text.trim() && Date.parse(one.at) >= sentAt)
  );
}
