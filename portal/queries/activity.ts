import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type Activity = Reply<'getActivity'>;

/** Thirty days of these clients or agents. */
export const activityQuery = (of: 'clients' | 'agents', ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.activity.of(of, ids),
    queryFn: ({ signal }) => api.getActivity({ query: { of, ids: ids.join(',') }, signal }),
    enabled: ids.length > 0,
    staleTime: 60_000,
  });
