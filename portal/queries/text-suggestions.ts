import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type TextSuggestion = Reply<'listTextSuggestions'>['data'][number];

/** The newest suggested texts: of one agent, or the pending ones of an agency. */
export const textSuggestionsQuery = (filters: { agentId?: string; clientId?: string | undefined; status?: 'pending' }) =>
  queryOptions({
    queryKey: keys.textSuggestions.of(filters),
    queryFn: ({ signal }) => api.listTextSuggestions({ query: { ...filters, limit: 50 }, signal }).then((page) => page.data),
  });
