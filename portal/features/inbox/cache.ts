import type { InfiniteData } from '@tanstack/react-query';
import { queryClient, refetchAfterUpdate } from '../../app/query-client.ts';
import {
  type Conversation,
  conversationQuery,
  conversationsQuery,
  inboxQuery,
  type InboxFilters,
  type Message,
  messagesQuery,
} from '../../queries/inbox.ts';

type Pages<Row> = InfiniteData<{ data: Row[]; nextCursor: string | null }, string>;

/** Puts a conversation where it belongs in the list, and on its own page. */
export function putConversation(conversation: Conversation, filters: InboxFilters): void {
  const { queryKey } = conversationsQuery(filters);
  queryClient.setQueryData<Pages<Conversation>>(queryKey, (pages) => pages && applyConversation(pages, conversation, filters));
  refetchAfterUpdate(queryKey);
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, (before) => before && { ...before, ...conversation });
}

/** Replaces a row or moves it to its place by time; one that no longer fits leaves. */
export function applyConversation(pages: Pages<Conversation>, row: Conversation, filters: InboxFilters): Pages<Conversation> {
  const rest = pages.pages.map((page) => ({ ...page, data: page.data.filter((one) => one.id !== row.id) }));
  const known = pages.pages.some((page) => page.data.some((one) => one.id === row.id));
  if (!fitsFilters(row, filters, known)) return { ...pages, pages: rest };
  const at = rest.findIndex((page) => page.data.some((one) => one.lastMessageAt <= row.lastMessageAt));
  const target = at >= 0 ? at : known || rest.at(-1)?.nextCursor === null ? rest.length - 1 : -1;
  return {
    ...pages,
    pages: rest.map((page, n) => {
      if (n !== target) return page;
      const before = page.data.findIndex((one) => one.lastMessageAt <= row.lastMessageAt);
      return { ...page, data: before < 0 ? [...page.data, row] : page.data.toSpliced(before, 0, row) };
    }),
  };
}

function fitsFilters(row: Conversation, filters: InboxFilters, isKnown: boolean): boolean {
  const { q, clientId, unread, waiting, status } = inboxQuery(filters);
  // Only the server knows which conversations match a text, so a found one stays.
  if (q) return isKnown;
  const fits: Record<Exclude<keyof ReturnType<typeof inboxQuery>, 'q'>, boolean> = {
    clientId: !clientId || row.clientId === clientId,
    // A conversation that was just read stays in view until the list is opened again.
    unread: !unread || row.isUnread || isKnown,
    waiting: !waiting || row.waitingSince !== null,
    status: !status || row.status === status,
  };
  return Object.values(fits).every(Boolean);
}

/** Adds a message to an open thread, or replaces it. */
export function addMessage(id: string, message: Message): void {
  const { queryKey } = messagesQuery(id);
  queryClient.setQueryData<Pages<Message>>(queryKey, (pages) => {
    if (!pages) return pages;
    if (pages.pages.some((page) => page.data.some((one) => one.id === message.id)))
      return {
        ...pages,
        pages: pages.pages.map((page) => ({ ...page, data: page.data.map((one) => (one.id === message.id ? message : one)) })),
      };
    return { ...pages, pages: pages.pages.map((page, n) => (n === 0 ? { ...page, data: inOrder([message, ...page.data]) } : page)) };
  });
  refetchAfterUpdate(queryKey);
}

/** Newest first: ids are in the order of time. */
function inOrder(messages: Message[]): Message[] {
  return messages.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
