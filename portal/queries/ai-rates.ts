import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

/** What 1,000 tokens of a model cost an agency on a platform key. */
export type AiRate = Reply<'listAiRates'>[number];
/** A version of a rate, with what the tokens cost the platform. */
export type StaffAiRate = Reply<'listAiStaffRates'>[number];
export type AiMargin = Reply<'listAiMargins'>[number];

export const aiRatesQuery = queryOptions({
  queryKey: keys.aiRates.published,
  queryFn: ({ signal }) => api.listAiRates({ signal }),
  staleTime: 300_000,
});

export const aiRateVersionsQuery = queryOptions({
  queryKey: keys.aiRates.versions,
  queryFn: ({ signal }) => api.listAiStaffRates({ signal }),
});

export const aiMarginsQuery = (from: string) =>
  queryOptions({
    queryKey: keys.aiRates.margins(from),
    queryFn: ({ signal }) => api.listAiMargins({ query: { from }, signal }),
    placeholderData: (before) => before,
  });
