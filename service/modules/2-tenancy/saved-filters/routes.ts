import { defineHandlers } from '#platform/http/context.ts';
import { readFilters, removeFilter, saveFilter, type SavedFiltersDeps } from './keep-filters.ts';

export function savedFilterHandlers(deps: SavedFiltersDeps) {
  return defineHandlers({
    listSavedFilters: ({ query }, context) => readFilters(deps, context, query.table),
    putSavedFilter: ({ params, body }, context) => saveFilter(deps, context, { id: params.id, ...body }),
    deleteSavedFilter: async ({ params }, context) => void (await removeFilter(deps, context, params.id)),
  });
}
