import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api } from '../../app/api.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { queryClient } from '../../app/query-client.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { type Conversation, conversationQuery, inboxCountsQuery } from '../../queries/inbox.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useArea } from './area.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { focusConversation } from './use-inbox-keys.ts';

type Action = 'takeOver' | 'giveBack' | 'close';
const CALLS = {
  takeOver: api.takeOverConversation,
  giveBack: api.giveBackConversation,
  close: api.closeConversation,
} as const;
const DONE: Record<Action, MessageKey> = {
  takeOver: 'inbox.taken-over',
  giveBack: 'inbox.given-back',
  close: 'inbox.closed',
};

/** One conversation: who answers it, its messages, and the reply box. */
export function ThreadPage({ id }: { id: string }) {
  const { t } = useMessages();
  const to = useArea() === 'client' ? '/client/inbox' : '/dashboard/inbox';
  const navigate = useNavigate();
  const conversation = useLoaded(conversationQuery(id));
  const user = useUser();
  const refusal = useRefusal('inbox.reply');
  const composer = useRef<HTMLTextAreaElement>(null);
  const change = useMutation({
    mutationFn: (action: Action) => CALLS[action]({ params: { id } }),
    onSuccess: (record, action) => {
      adopt(record);
      announce(t(DONE[action]));
      if (action === 'takeOver') composer.current?.focus();
    },
    onError: (error) => {
      announceError(error);
      void refreshAfter('conversationChanged', id);
    },
  });
  const { mark } = useReadMark(conversation);
  const back = (): void => {
    void navigate({ to, search: true, resetScroll: false });
    focusConversation(id);
  };
  useKeys([
    { keys: 'r', label: 'Reply', group: 'This page', run: () => composer.current?.focus() },
    {
      keys: 'e',
      label: 'Close the conversation',
      group: 'This page',
      run: () => {
        if (refusal === undefined && conversation.status !== 'closed' && !change.isPending) change.mutate('close');
      },
    },
    { keys: 'u', label: 'Mark as read or unread', group: 'This page', run: () => mark(conversation.isUnread) },
    { keys: 'Escape', label: 'Back to the list', group: 'This page', run: back },
  ]);
  return (
    <>
      <ThreadHeader
        conversation={conversation}
        refusal={refusal}
        userId={user.id}
        busy={change.isPending ? change.variables : undefined}
        onAction={(action) => change.mutate(action)}
        onMark={mark}
        onBack={back}
      />
      <MessageList conversation={conversation} />
      <Composer ref={composer} key={id} conversation={conversation} refusal={refusal} userId={user.id} />
    </>
  );
}

/** Shows the state that an action answered with at once; the stream brings it to the list. */
function adopt(record: Conversation): void {
  queryClient.setQueryData(conversationQuery(record.id).queryKey, (before) => before && { ...before, ...record });
  void refreshAfter('inboxListOutdated');
}

/** Marks the open conversation as read while it is seen, and by hand. A conversation that is marked as unread stays unread until it is opened again. */
function useReadMark(conversation: Conversation): { mark: (isRead: boolean) => void } {
  const { id, clientId, isUnread, lastMessageAt } = conversation;
  const isViewing = useIsViewing();
  const keepsUnread = useRef<string | null>(null);
  const send = (isRead: boolean): void => {
    if (isViewing) return;
    keepsUnread.current = isRead ? null : lastMessageAt;
    queryClient.setQueryData(conversationQuery(id).queryKey, (before) => before && { ...before, isUnread: !isRead });
    if (isRead === isUnread) countUnread(clientId, isRead ? -1 : 1);
    api.markConversationRead({ params: { id }, body: { isRead, ...(isRead ? { upTo: lastMessageAt } : {}) } }).catch((error: unknown) => {
      announceError(error);
      void refreshAfter('conversationChanged', id);
    });
  };
  const latest = useRef(send);
  latest.current = send;
  const isSeen = useIsVisible();
  useEffect(() => {
    if (isUnread && isSeen && keepsUnread.current !== lastMessageAt) latest.current(true);
  }, [isUnread, isSeen, lastMessageAt]);
  return { mark: send };
}

/** Changes the counts as the mark does, since reading them again would be a request for each conversation that is opened. */
function countUnread(clientId: string, change: 1 | -1): void {
  for (const of of [undefined, clientId])
    queryClient.setQueryData(
      inboxCountsQuery(of).queryKey,
      (before) => before && { ...before, unread: Math.max(0, before.unread + change) },
    );
}

function useIsVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => !document.hidden,
  );
}
