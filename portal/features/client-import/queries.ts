import { CLIENT_IMPORT_OUTCOMES, CLIENT_IMPORT_UNDO } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';
import { keys } from '../../queries/keys.ts';

export type ImportResult = Reply<'importClients'>;
export type ImportRow = ImportResult['rows'][number];
export type ClientImport = Reply<'getClientImport'>;
export const parseImportSearch = searchParser({ outcome: oneOf(CLIENT_IMPORT_OUTCOMES), undo: oneOf(CLIENT_IMPORT_UNDO) });
export type ImportRowFilters = SearchOf<typeof parseImportSearch>;

/** How many imports a page has. */
export const IMPORTS_STEP = 10;

export const clientImportsQuery = () =>
  pagedQuery(keys.clients.imports, ({ cursor, signal }) => api.listClientImports({ query: { limit: IMPORTS_STEP, cursor }, signal }));

export const clientImportQuery = (id: string) =>
  queryOptions({ queryKey: keys.clients.import(id), queryFn: ({ signal }) => api.getClientImport({ params: { id }, signal }) });

export const clientImportRowsQuery = (id: string, filters: ImportRowFilters) =>
  pagedQuery(keys.clients.importRows(id, filters), ({ cursor, signal }) =>
    api.listClientImportRows({ params: { id }, query: { ...filters, limit: 100, cursor }, signal }),
  );
