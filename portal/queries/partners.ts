import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type Partner = Reply<'listPartners'>['data'][number];

export const partnerQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.partners.one(partnerId),
    queryFn: ({ signal }) => api.getPartner({ params: { id: partnerId }, signal }),
  });

/** The first hundred agencies whose name has `q`, for select fields of staff. A field takes them from `shared/choices.ts`. */
export const partnerNamesQuery = (q: string | undefined) =>
  queryOptions({
    queryKey: keys.partners.names(q),
    queryFn: ({ signal }) => api.listPartners({ query: { q, limit: 100 }, signal }),
    staleTime: 60_000,
  });
