import { useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../../app/messages.ts';
import { useLive } from '../../app/use-live.ts';
import type { LiveState } from '../../ui/feedback/live-dot.tsx';
import { throttle } from '../../ui/hooks/throttle.ts';
import type { Conversation, InboxFilters, Message } from '../../queries/inbox.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { addMessage, putConversation } from './cache.ts';
import { forgetShortLived, noteDelta, noteMessage, noteStatus, noteTyping } from './live-state.ts';

const SPOKEN_MS = 4_000;

/** Follows the inbox: conversations and messages as they change, who types, and replies as they are written. */
export function useLiveInbox(filters: InboxFilters): { live: LiveState; spoken: string } {
  const { spoken, say } = usePoliteSummary();
  const refreshCounts = useMemo(() => throttle(() => void refreshAfter('inboxCountsOutdated'), 3000), []);
  const live = useLive({
    path: `/chatbot/conversations/stream${filters.client ? `?clientId=${filters.client}` : ''}`,
    onEvent: ({ event, data }) => {
      // The contract's events, sent by our own service.
      const parsed = JSON.parse(data) as never;
      if (event === 'conversation') {
        const conversation = parsed as Conversation;
        putConversation(conversation, filters);
        noteStatus(conversation.id, conversation.status);
        refreshCounts();
      } else if (event === 'message') {
        const { conversationId, message } = parsed as { conversationId: string; message: Message };
        addMessage(conversationId, message);
        noteMessage(conversationId, message.author);
        if (message.author === 'visitor') say();
      } else if (event === 'delta') {
        const delta = parsed as { conversationId: string; turnId: string; start: number; text: string };
        noteDelta(delta.conversationId, delta);
      } else if (event === 'typing') {
        const typing = parsed as { conversationId: string; author: string; name: string; isTyping: boolean };
        noteTyping(typing.conversationId, typing.author === 'visitor' ? '' : typing.name, typing.isTyping);
      }
    },
    onCatchUp: () => {
      forgetShortLived();
      void refreshAfter('inboxOutdated');
    },
    continues: keys.inbox.all,
  });
  return { live, spoken };
}

/** One polite sentence for all messages of some seconds. */
function usePoliteSummary(): { spoken: string; say: () => void } {
  const { t } = useMessages();
  const latest = useRef(t);
  latest.current = t;
  const [spoken, setSpoken] = useState('');
  const count = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    spoken,
    say() {
      count.current += 1;
      timer.current ??= setTimeout(() => {
        setSpoken(latest.current('inbox.spoken', { count: count.current }));
        count.current = 0;
        timer.current = undefined;
      }, SPOKEN_MS);
    },
  };
}
