import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export const planRequestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.planRequests.one(id),
    queryFn: ({ signal }) => api.getPlanRequest({ params: { id }, signal }),
  });

/** The terms of the agency that made a plan request; null for an applicant, who has none yet. */
export const termsOfAskingQuery = (partnerId: string | null) =>
  queryOptions({
    queryKey: keys.billing.asking(partnerId),
    queryFn: async ({ signal }) => (partnerId === null ? null : (await api.getBilling({ query: { partnerId }, signal })).subscription),
    staleTime: 0,
  });

export const nameReviewQuery = (id: string) =>
  queryOptions({
    queryKey: keys.nameReviews.one(id),
    queryFn: ({ signal }) => api.getNameReview({ params: { id }, signal }),
  });

/** A deletion, with what it would stop and remove now. */
export const deletionRequestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.accountRequests.one('deletion', id),
    queryFn: async ({ signal }) => {
      const request = await api.getDeletionRequest({ params: { id }, signal });
      const { scope, partnerId, clientId, status } = request;
      // What a purged account had can no longer be counted.
      const isOpen = status === 'pending' || status === 'approved';
      const query = { scope, partnerId, ...(clientId === null ? {} : { clientId }) };
      return { request, preview: isOpen ? await api.previewDeletion({ query, signal }) : null };
    },
  });

/** A reactivation, with the deletion that suspended the account, if one did. */
export const reactivationRequestQuery = (id: string, partnerId: string) =>
  queryOptions({
    queryKey: keys.accountRequests.one('reactivation', id),
    queryFn: async ({ signal }) => {
      const [requests, deletions] = await Promise.all([
        api.listReactivationRequests({ query: { partnerId, scope: 'partner', status: 'pending' }, signal }),
        api.listDeletionRequests({ query: { partnerId, scope: 'partner', status: 'approved' }, signal }),
      ]);
      return { request: requests.data.find((one) => one.id === id) ?? null, deletion: deletions.data[0] ?? null };
    },
  });
