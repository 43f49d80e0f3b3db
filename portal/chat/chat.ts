import { v4 as newId } from 'uuid';
import { type Api, isUnknown } from './api.ts';
import { createConnection } from './connection.ts';
import { createOutbox } from './outbox.ts';
import { watchPresence } from './presence.ts';
import type { Keeper } from './storage.ts';
import { pause } from './stream.ts';
import {
  addDelta,
  addMessage,
  confirmSent,
  countUnread,
  isAwaiting,
  mergeConversation,
  NEW_THREAD,
  type Outgoing,
  setOutgoing,
  setStatus,
  setTyping,
  type Thread,
} from './thread.ts';
import type { ChatEvent, Sent } from './wire.ts';

export type ChatState = {
  thread: Thread;
  /** An earlier conversation is being read. */
  isLoading: boolean;
  /** The connection is lost, not only for a moment. */
  isLost: boolean;
  /** The chatbot is not served any more. */
  isGone: boolean;
  isOpen: boolean;
  unread: number;
};
export type Chat = ReturnType<typeof createChat>;

/** Interval for polling the answer, in case a proxy buffers the stream. */
const LOOK_EVERY_MS = 10_000;
const TYPING_EVERY_MS = 4_000;
const RETRY_MS = 3_000;
/** How long a notice of typing counts. A person who goes on typing is announced again sooner, one who gives up is not announced at all. */
const TYPING_MS = 6_000;

/** The conversation of this browser: what is known of it, what is still to be sent, and the connection that follows it. */
export function createChat(api: Api, keeper: Keeper, onChange: (state: ChatState) => void) {
  const kept = keeper.read();
  const outgoing = kept.outgoing.map((one): Outgoing => ({ ...one, state: 'waiting', problem: '' }));
  let state: ChatState = {
    thread: { ...NEW_THREAD, conversationId: kept.conversationId, outgoing },
    isLoading: kept.conversationId !== null,
    isLost: false,
    isGone: false,
    isOpen: false,
    unread: 0,
  };
  let typingAt = 0;
  let typingEnds: ReturnType<typeof setTimeout> | undefined;

  const change = (next: Partial<ChatState>): void => {
    state = { ...state, ...next };
    const { messages } = state.thread;
    const lastId = messages.at(-1)?.id ?? null;
    if (state.isOpen && !document.hidden && lastId !== null && keeper.read().readId !== lastId) keeper.write({ readId: lastId });
    state.unread = state.isOpen ? 0 : countUnread(messages, keeper.read().readId);
    follow();
    onChange(state);
  };
  const changeThread = (work: (thread: Thread) => Thread): void => change({ thread: work(state.thread) });

  /** Keeps a connection for as long as something may arrive that matters to this page. */
  const follow = (): void => {
    const { thread, isOpen, isGone } = state;
    const matters = isAwaiting(thread) || (!presence.isAway() && (isOpen || thread.status === 'handed_off'));
    connection.follow(matters && !isGone ? thread.conversationId : null);
  };

  const receive = ({ event, data }: ChatEvent): void => {
    if (event === 'delta') changeThread((thread) => addDelta(thread, data));
    else if (event === 'typing') {
      changeThread((thread) => setTyping(thread, data));
      clearTimeout(typingEnds);
      typingEnds = setTimeout(() => changeThread((thread) => ({ ...thread, typing: null })), TYPING_MS);
    } else if (event === 'status') changeThread((thread) => setStatus(thread, data));
    else if (event === 'message') {
      changeThread((thread) => addMessage(thread, data));
      confirm();
      // Retries messages that were refused while an answer was being written.
      if (data.author !== 'visitor') outbox.flush();
    }
  };
  /** Drops messages that the server has, so that no reload resends them. */
  const confirm = (): void => keeper.drop(new Set(state.thread.messages.map(({ clientMessageId }) => clientMessageId)));

  const load = async (): Promise<void> => {
    const { conversationId } = state.thread;
    if (conversationId === null) return;
    const found = await api.readConversation(conversationId).catch(async (error: unknown) => {
      if (!isUnknown(error)) throw error;
      await forget(conversationId);
      return undefined;
    });
    if (!found || state.thread.conversationId !== conversationId) return;
    connection.restore();
    change({ isLoading: false, thread: mergeConversation(state.thread, found) });
    confirm();
  };
  /** Reads the conversation until that succeeds. */
  const loadFirst = async (): Promise<void> => {
    while (state.isLoading) {
      await load().catch(() => connection.lose());
      if (state.isLoading) await pause(RETRY_MS);
    }
  };
  /** Shows another conversation, or none. */
  const leave = (conversationId: string | null): void => {
    if (keeper.read().conversationId !== conversationId) keeper.write({ conversationId, readId: null });
    const isLoading = conversationId !== null;
    change({ isLoading, thread: { ...NEW_THREAD, conversationId, outgoing: state.thread.outgoing } });
    if (isLoading) void loadFirst();
  };

  /**
   * Leaves a conversation that the server does not know. While the chatbot is not served it knows none: the conversation is kept for when it is
   * served again. Resolves to whether it is.
   */
  const forget = async (conversationId: string | null): Promise<boolean> => {
    const isServed = await api.readChatbot().then(
      () => true,
      (error: unknown) => {
        if (!isUnknown(error)) throw error;
        return false;
      },
    );
    if (!isServed) change({ isGone: true, isLoading: false });
    else if (state.thread.conversationId === conversationId) leave(null);
    return isServed;
  };

  const presence = watchPresence(() => change({}));
  const connection = createConnection({
    api,
    onEvent: receive,
    // Later changes arrive by now: nothing is missed between this list and the stream.
    onConnected: () => void load().catch(() => undefined),
    onGone: () => forget(state.thread.conversationId),
    onLost: (isLost) => change({ isLost }),
  });
  const outbox = createOutbox({
    api,
    next: () => (state.isGone ? undefined : state.thread.outgoing.find(({ state: at }) => at !== 'failed')),
    address() {
      const known = keeper.read();
      const visitorId = known.visitorId ?? newId();
      if (known.visitorId === null) keeper.write({ visitorId });
      // Another tab may have started the conversation.
      return { conversationId: state.thread.conversationId ?? known.conversationId, visitorId };
    },
    onSent: (sentOne, sent) => accept(sentOne, sent),
    onState: (id, at, problem) => changeThread((thread) => setOutgoing(thread, id, { state: at, problem })),
    onUnknown: () => forget(state.thread.conversationId),
  });
  const accept = (outgoing: Outgoing, sent: Sent): void => {
    const { conversationId } = sent;
    const isOurs = state.thread.outgoing.some(({ clientMessageId }) => clientMessageId === outgoing.clientMessageId);
    // Its conversation was left while it was on its way.
    if (!isOurs && state.thread.conversationId !== conversationId) return;
    if (keeper.read().conversationId !== conversationId) keeper.write({ conversationId });
    changeThread((thread) => confirmSent(thread, outgoing, sent));
    confirm();
    if (!('messageId' in sent)) void load().catch(() => undefined);
  };

  addEventListener('online', () => outbox.flush());
  keeper.onOtherTab(({ conversationId, outgoing }) => {
    if (conversationId === state.thread.conversationId) return change({});
    // What the other tab gave up with the conversation is not sent into the next one.
    const stays = new Set(outgoing.map(({ clientMessageId }) => clientMessageId));
    changeThread((thread) => ({ ...thread, outgoing: thread.outgoing.filter(({ clientMessageId }) => stays.has(clientMessageId)) }));
    leave(conversationId);
  });
  setInterval(() => {
    if (isAwaiting(state.thread)) void load().catch(() => undefined);
  }, LOOK_EVERY_MS);

  return {
    /** Reads what there was and sends what was not sent. */
    start(): void {
      change({});
      if (state.isLoading) void loadFirst();
      outbox.flush();
    },
    send(text: string): void {
      const one: Outgoing = { clientMessageId: newId(), text, state: 'sending', problem: '' };
      keeper.write({ draft: '', outgoing: [...keeper.read().outgoing, { clientMessageId: one.clientMessageId, text }] });
      changeThread((thread) => ({ ...thread, outgoing: [...thread.outgoing, one] }));
      outbox.flush();
    },
    /** Sends again what failed. */
    retry(): void {
      changeThread((thread) => setOutgoing(thread, null, { state: 'sending', problem: '' }));
      outbox.flush();
    },
    startNew(): void {
      keeper.write({ outgoing: [] });
      changeThread((thread) => ({ ...thread, outgoing: [] }));
      leave(null);
    },
    setOpen: (isOpen: boolean) => change({ isOpen }),
    /** A person who answers sees that the visitor is typing. */
    announceTyping(): void {
      const { conversationId, status } = state.thread;
      if (conversationId === null || status !== 'handed_off' || Date.now() - typingAt < TYPING_EVERY_MS) return;
      typingAt = Date.now();
      api.announceTyping(conversationId).catch(() => undefined);
    },
  };
}
