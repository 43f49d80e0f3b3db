import { loadQueries, startMissing, startQueries } from '../../app/route-data.ts';
import { idParam } from '../../app/search-params.ts';
import { getSession } from '../../app/session.ts';
import { conversationQuery, conversationsQuery, figuresQuery, type InboxFilters, messagesQuery } from '../../queries/inbox.ts';

/** For the loaders of both inboxes: starts to load the list, and the conversation that the address opens next to it. Loads nothing without the chatbot feature. */
export function loadInbox(preload: boolean, filters: InboxFilters, path: string): void {
  if (!getSession()?.user.features.chatbot) return;
  const open = idParam(path.split('/').at(-1));
  startMissing(preload, figuresQuery(filters.client));
  if (open) startMissing(preload, conversationQuery(open), messagesQuery(open));
  startQueries(preload, conversationsQuery(filters));
}

/** For the loaders of a conversation, in both inboxes. */
export function loadThread(preload: boolean, id: string): Promise<void> {
  startMissing(preload, messagesQuery(id));
  return loadQueries(preload, conversationQuery(id));
}
