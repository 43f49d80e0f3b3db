import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type WorkItem = Reply<'getWorkQueue'>[number];

/** Items that wait for staff, the oldest first. Polled every minute: streams report agent requests and setups only. */
export const workQueueQuery = queryOptions({
  queryKey: keys.workQueue,
  queryFn: ({ signal }) => api.getWorkQueue({ signal }),
  staleTime: 20_000,
  refetchInterval: 60_000,
});

/** The counts next to the entries of the staff navigation. */
export const staffNavigationQuery = queryOptions({
  queryKey: keys.staffNavigation,
  queryFn: ({ signal }) => api.getStaffCounts({ signal }),
  staleTime: 20_000,
  refetchInterval: 60_000,
});

/** The agency that made a plan request; null for an applicant, who has no agency yet. */
export const askingPartnerQuery = (partnerId: string | null) =>
  queryOptions({
    queryKey: keys.partners.asking(partnerId),
    queryFn: ({ signal }) => (partnerId === null ? null : api.getPartner({ params: { id: partnerId }, signal })),
  });
