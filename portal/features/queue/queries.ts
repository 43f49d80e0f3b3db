import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export const planRequestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.planRequests.one(id),
    queryFn: ({ signal }) => api.getPlanRequest({ params: { id }, signal }),
  });

/** What the agency that asks is on now; nothing of an applicant, who is no agency yet. */
export const askingPartnerQuery = (partnerId: string | null) =>
  queryOptions({
    queryKey: keys.partners.asking(partnerId),
    queryFn: ({ signal }) => (partnerId === null ? null : api.getPartner({ params: { id: partnerId }, signal })),
  });
