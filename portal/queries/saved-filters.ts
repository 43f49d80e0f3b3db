import type { FilteredTable } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type SavedFilter = Reply<'listSavedFilters'>[number];
export type FilterValues = SavedFilter['search'];

/** The user's own saved filters of a table, by name. */
export const savedFiltersQuery = (table: FilteredTable) =>
  queryOptions({
    queryKey: keys.savedFilters(table),
    queryFn: ({ signal }) => api.listSavedFilters({ query: { table }, signal }),
    staleTime: 60_000,
  });
