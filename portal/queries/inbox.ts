import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { oneOf, type SearchOf, searchParser, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';

export type Conversation = Reply<'listConversations'>['data'][number];
export type ConversationDetail = Reply<'getConversation'>;
export type Message = Reply<'listMessages'>['data'][number];
export type CannedReply = Reply<'listCannedReplies'>[number];
export type ChatFigures = Reply<'getChatbotFigures'>;

/** Views of the list, each one click away. */
export const SHOWN = ['unread', 'waiting', 'open', 'handed_off', 'closed'] as const;
export type Shown = (typeof SHOWN)[number];

/** The filters of the inbox, as its address carries them. */
export const parseInboxSearch = searchParser({ show: oneOf(SHOWN), q: textParam });
export type InboxSearch = SearchOf<typeof parseInboxSearch>;
export type InboxFilters = InboxSearch & { client?: string | undefined };

/** Filters as the API asks for them. */
export function inboxQuery({ show, q, client }: InboxFilters) {
  return {
    clientId: client,
    q,
    unread: show === 'unread' ? ('true' as const) : undefined,
    waiting: show === 'waiting' ? ('true' as const) : undefined,
    status: show === 'open' || show === 'handed_off' || show === 'closed' ? show : undefined,
  };
}

export const conversationsQuery = (filters: InboxFilters) =>
  pagedQuery(keys.inbox.page(inboxQuery(filters)), ({ cursor, signal }) =>
    api.listConversations({ query: { ...inboxQuery(filters), limit: 30, cursor }, signal }),
  );

/** Unread conversations and waiting visitors, for the navigation; polled, since most pages follow no stream of the inbox. */
export const inboxCountsQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.inbox.countsOf(clientId),
    queryFn: ({ signal }) => api.countConversations({ query: { clientId }, signal }),
    refetchInterval: 30_000,
    retry: false,
  });

export const conversationQuery = (id: string) =>
  queryOptions({ queryKey: keys.inbox.one(id), queryFn: ({ signal }) => api.getConversation({ params: { id }, signal }) });

export const messagesQuery = (id: string) =>
  pagedQuery(keys.inbox.messages(id), ({ cursor, signal }) => api.listMessages({ params: { id }, query: { limit: 50, cursor }, signal }));

export const cannedQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.inbox.cannedOf(clientId),
    queryFn: ({ signal }) => api.listCannedReplies({ query: { clientId }, signal }),
  });

/** Conversations by day of the last thirty days. */
export const figuresQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.inbox.figures(clientId),
    queryFn: ({ signal }) => api.getChatbotFigures({ query: { clientId }, signal }),
    staleTime: 60_000,
    retry: false,
  });
