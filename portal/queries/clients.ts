import { AGENT_HEALTH, CLIENT_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { queryClient } from '../app/query-client.ts';
import { oneOf, type SearchOf, searchParser, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

export type Client = Reply<'getClient'>;

export const CLIENT_TABS = ['overview', 'agents', 'integrations', 'runs', 'people', 'chatbot', 'stop-list', 'report', 'settings'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

export const parseClientSearch = searchParser({ status: oneOf(CLIENT_STATUSES), health: oneOf(AGENT_HEALTH), q: textParam });
export type ClientSearch = SearchOf<typeof parseClientSearch>;

export const clientsQuery = (filters: ClientSearch) =>
  pagedQuery(keys.clients.page(filters), ({ cursor, signal }) => api.listClients({ query: { ...filters, cursor }, signal }));

/**
 * The first hundred clients whose name, contact or reference has `q`, for the client switcher and select fields; `partnerId` is for staff. A field takes
 * them from `shared/choices.ts`.
 */
export const clientNamesQuery = (q: string | undefined, partnerId?: string) =>
  queryOptions({
    queryKey: keys.clients.names(partnerId, q),
    queryFn: ({ signal }) => api.listClients({ query: { partnerId, q, limit: 100 }, signal }),
    staleTime: 60_000,
  });

/** Clients of the agency to choose from, archived ones left out; `q` is looked for in name, contact and reference. */
export const clientChoicesQuery = (q: string | undefined) =>
  pagedQuery(keys.clients.choices(q), ({ cursor, signal }) => api.listClients({ query: { q, limit: 50, cursor }, signal }), {
    placeholderData: (before) => before,
  });

/** The ids of all clients that `clientChoicesQuery` would list, up to `most`. */
export async function readClientIds(q: string | undefined, most: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await api.listClients({ query: { q, limit: 100, cursor: cursor ?? undefined } });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor && ids.length < most);
  return ids.slice(0, most);
}

export const clientQuery = (id: string) =>
  queryOptions({ queryKey: keys.clients.one(id), queryFn: ({ signal }) => api.getClient({ params: { id }, signal }) });
export const clientUsersQuery = (id: string) =>
  pagedQuery(keys.clients.users(id), ({ cursor, signal }) => api.listClientUsers({ params: { id }, query: { cursor }, signal }));

/** Shows a saved client wherever it appears. */
export function storeClient(client: Client): void {
  queryClient.setQueryData(clientQuery(client.id).queryKey, client);
  void refreshAfter('clientSaved');
}
