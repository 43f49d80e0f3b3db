import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type Summary = Reply<'getMySummary'>;
export type ClientActivity = Reply<'getClientsActivity'>['clients'][number];
export type ActivityOrder = 'runs' | 'failed';

/** Shared by several agency pages and cached, so that a page needs at most three requests of its own. */
export const ownPartnerQuery = queryOptions({
  queryKey: keys.ownPartner,
  queryFn: ({ signal }) => api.getMyPartner({ signal }),
  staleTime: 60_000,
});
export const quotaQuery = queryOptions({ queryKey: keys.quota, queryFn: ({ signal }) => api.getQuota({ signal }), staleTime: 30_000 });

/** The counts next to the entries of the navigation. */
export const navigationQuery = queryOptions({
  queryKey: keys.navigation,
  queryFn: ({ signal }) => api.getMyCounts({ signal }),
  staleTime: 60_000,
});

/** The whole overview page in one request. */
export const summaryQuery = (clientId: string | undefined) =>
  queryOptions({
    queryKey: keys.summary.of(clientId),
    queryFn: ({ signal }) => api.getMySummary({ query: clientId ? { clientId } : {}, signal }),
    placeholderData: (before) => before,
  });

/** Runs and failures of the clients by day. */
export const clientsActivityQuery = (sort: ActivityOrder) =>
  queryOptions({
    queryKey: keys.summary.clients(sort),
    queryFn: ({ signal }) => api.getClientsActivity({ query: { sort }, signal }),
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
