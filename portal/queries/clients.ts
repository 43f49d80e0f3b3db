import { AGENT_HEALTH, type AgentHealth, CLIENT_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { choiceParam, onlySet, textParam } from '../app/search-params.ts';
import { keys } from './keys.ts';
import { refreshAfter } from './refresh.ts';

export type Client = Reply<'getClient'>;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];
export type ClientSearch = { status?: ClientStatus; health?: AgentHealth; q?: string };

export const CLIENT_TABS = ['overview', 'agents', 'integrations', 'runs', 'people', 'report', 'settings'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

export function parseClientSearch(search: Record<string, unknown>): ClientSearch {
  return onlySet({
    status: choiceParam(CLIENT_STATUSES, search.status),
    health: choiceParam(AGENT_HEALTH, search.health),
    q: textParam(search.q),
  });
}

export const clientsQuery = (filters: ClientSearch) =>
  infiniteQueryOptions({
    queryKey: keys.clients.page(filters),
    queryFn: ({ pageParam, signal }) => api.listClients({ query: { ...filters, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const clientQuery = (id: string) =>
  queryOptions({ queryKey: keys.clients.one(id), queryFn: ({ signal }) => api.getClient({ params: { id }, signal }) });
export const clientUsersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.clients.users(id),
    queryFn: ({ pageParam, signal }) => api.listClientUsers({ params: { id }, query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

/** Shows a saved client wherever it appears. */
export function storeClient(client: Client): void {
  queryClient.setQueryData(clientQuery(client.id).queryKey, client);
  void refreshAfter('clientSaved');
}
