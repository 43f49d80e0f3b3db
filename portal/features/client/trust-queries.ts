import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export const trustQuery = queryOptions({ queryKey: keys.client.trust, queryFn: ({ signal }) => api.getMyTrust({ signal }) });
export const peopleQuery = queryOptions({ queryKey: keys.client.people, queryFn: ({ signal }) => api.getMyPeople({ signal }) });
export const accessLogQuery = infiniteQueryOptions({
  queryKey: keys.client.accessLog,
  queryFn: ({ pageParam, signal }) => api.listMyAccessLog({ query: { cursor: pageParam || undefined }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
});
