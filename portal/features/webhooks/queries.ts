import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { mergeDeliveries } from './merge-deliveries.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';

export type Endpoint = Reply<'listWebhooks'>[number];
export type Registration = Reply<'createWebhook'>;
export type Delivery = Reply<'listDeliveries'>[number];
export type Attempt = Delivery['attempts'][number];
export type Recovery = Reply<'listRecoveries'>[number];
export type StaffEndpoint = Reply<'listWebhookEndpoints'>['data'][number];

export const endpointsQuery = queryOptions({
  queryKey: keys.webhooks.endpoints,
  queryFn: ({ signal }) => api.listWebhooks({ signal }),
  // Polls while deliveries are pending; an open delivery log reports them sooner.
  refetchInterval: (query) => (query.state.data?.some(({ recent }) => recent.includes('pending')) ? 5000 : 60_000),
});

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhooks.deliveries(id),
    queryFn: ({ signal }) => api.listDeliveries({ params: { id }, signal }),
    structuralSharing: (known, fresh) => (known ? mergeDeliveries(known as Delivery[], fresh as Delivery[]) : fresh), // this query's own data
  });

export const recoveriesQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhooks.recoveries(id),
    queryFn: ({ signal }) => api.listRecoveries({ params: { id }, signal }),
    // What runs is looked at until it ends; the stream of deliveries does not speak of it.
    refetchInterval: (query) => (query.state.data?.some((recovery) => recovery.status === 'running') ? 3000 : false),
  });

export const deliveryDaysQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhooks.days(id),
    queryFn: ({ signal }) => api.listDeliveryDays({ params: { id }, signal }),
    staleTime: 60_000,
  });

export type StaffSearch = { show?: 'all' | undefined; partner?: string | undefined };

export function staffFilters({ show, partner }: StaffSearch): { failing?: 'true'; partnerId?: string } {
  return { ...(show === 'all' ? {} : { failing: 'true' as const }), ...(partner ? { partnerId: partner } : {}) };
}

export const staffEndpointsQuery = (search: StaffSearch) =>
  pagedQuery(
    keys.webhooks.staff(search.show ?? 'failing', search.partner ?? 'every'),
    ({ cursor, signal }) => api.listWebhookEndpoints({ query: { ...staffFilters(search), cursor }, signal }),
    {
      refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 30_000),
    },
  );

/** Puts a new endpoint on top of the list at once: what is opened by its id must be found there. */
export function addEndpoint({ id, url, isActive, createdAt }: Registration, events: Endpoint['events']): void {
  const made: Endpoint = { id, url, isActive, events, createdAt, updatedAt: createdAt, lastDelivery: null, failureStreak: 0, recent: [] };
  queryClient.setQueryData(endpointsQuery.queryKey, (rows) => rows && [made, ...rows.filter((row) => row.id !== id)]);
  void refreshAfter('endpointsChanged');
}

/** Takes a removed endpoint out of the list at once. */
export function dropEndpoint(id: string): void {
  queryClient.setQueryData(endpointsQuery.queryKey, (rows) => rows?.filter((row) => row.id !== id));
  void refreshAfter('endpointsChanged');
}

/** Puts an endpoint as the service answered it in its place in the list. */
export function putEndpoint(record: Endpoint): void {
  queryClient.setQueryData(endpointsQuery.queryKey, (rows) => rows?.map((row) => (row.id === record.id ? record : row)));
}
