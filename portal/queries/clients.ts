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

export const CLIENT_TABS = ['overview', 'agents', 'integrations', 'runs', 'people', 'stop-list', 'report', 'settings'] as const;
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
  infiniteQueryOptions({
    queryKey: keys.clients.choices(q),
    queryFn: ({ pageParam, signal }) => api.listClients({ query: { q, limit: 50, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
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
