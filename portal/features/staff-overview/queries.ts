import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type StaffOverview = Reply<'getStaffOverview'>;

/** Polled every minute like the work queue, because there is no stream. */
export const staffOverviewQuery = queryOptions({
  queryKey: keys.staffOverview,
  queryFn: ({ signal }) => api.getStaffOverview({ signal }),
  staleTime: 20_000,
  refetchInterval: 60_000,
});
