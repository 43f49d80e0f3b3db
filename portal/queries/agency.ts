import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type Summary = Reply<'getMySummary'>;

/** What several pages of the agency show. Kept for a while: a page may cost at most three calls of its own. */
export const ownPartnerQuery = queryOptions({
  queryKey: keys.ownPartner,
  queryFn: ({ signal }) => api.getMyPartner({ signal }),
  staleTime: 60_000,
});
export const quotaQuery = queryOptions({ queryKey: keys.quota, queryFn: ({ signal }) => api.getQuota({ signal }), staleTime: 30_000 });

/** The names in the client switcher and in choosers: the first hundred. */
export const switcherClientsQuery = queryOptions({
  queryKey: keys.clients.switcher,
  queryFn: ({ signal }) => api.listClients({ query: { limit: 100 }, signal }).then((page) => page.data),
  staleTime: 60_000,
});

/** The whole first page in one call (product.md §5.2). */
export const summaryQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.summary.of(clientId),
    queryFn: ({ signal }) => api.getMySummary({ query: clientId ? { clientId } : {}, signal }),
    placeholderData: (before) => before,
  });
