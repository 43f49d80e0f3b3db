import {
  CLIENT_IMPORT_OUTCOMES,
  CLIENT_IMPORT_UNDO,
  type ClientImportOutcome,
  type ClientImportUndo,
} from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { choiceParam, onlySet } from '../app/search-params.ts';
import { keys } from './keys.ts';

export type ImportResult = Reply<'importClients'>;
export type ImportRow = ImportResult['rows'][number];
export type ClientImport = Reply<'getClientImport'>;
export type ImportRowFilters = { outcome?: ClientImportOutcome; undo?: ClientImportUndo };

export function parseImportSearch(search: Record<string, unknown>): ImportRowFilters {
  return onlySet({
    outcome: choiceParam(CLIENT_IMPORT_OUTCOMES, search['outcome']),
    undo: choiceParam(CLIENT_IMPORT_UNDO, search['undo']),
  });
}

/** How many imports a page has. */
export const IMPORTS_STEP = 10;

export const clientImportsQuery = () =>
  infiniteQueryOptions({
    queryKey: keys.clients.imports,
    queryFn: ({ pageParam, signal }) => api.listClientImports({ query: { limit: IMPORTS_STEP, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const clientImportQuery = (id: string) =>
  queryOptions({ queryKey: keys.clients.import(id), queryFn: ({ signal }) => api.getClientImport({ params: { id }, signal }) });

export const clientImportRowsQuery = (id: string, filters: ImportRowFilters) =>
  infiniteQueryOptions({
    queryKey: keys.clients.importRows(id, filters),
    queryFn: ({ pageParam, signal }) =>
      api.listClientImportRows({ params: { id }, query: { ...filters, limit: 100, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
