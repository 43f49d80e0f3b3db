import { startMissing, startQueries } from '../../app/route-data.ts';
import { idParam } from '../../app/search-params.ts';
import { getSession } from '../../app/session.ts';
import { conversationQuery, conversationsQuery, figuresQuery, type InboxFilters, messagesQuery } from '../../queries/inbox.ts';

/** For the loaders of both inboxes: begins to read the list, and the conversation that the address opens beside it. Without the chatbot there is neither. */
export function loadInbox(preload: boolean, filters: InboxFilters, path: string): void {
  if (!getSession()?.user.features.chatbot) return;
  const open = idParam(path.split('/').at(-1));
  startMissing(preload, figuresQuery(filters.client));
  if (open) startMissing(preload, conversationQuery(open), messagesQuery(open));
  startQueries(preload, conversationsQuery(filters));
}
