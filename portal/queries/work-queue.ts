import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type WorkItem = Reply<'getWorkQueue'>[number];

/** What waits for staff, the longest waiting first. Asked again each minute: there is no stream of it. */
export const workQueueQuery = queryOptions({
  queryKey: keys.workQueue,
  queryFn: ({ signal }) => api.getWorkQueue({ signal }),
  staleTime: 20_000,
  refetchInterval: 60_000,
});
