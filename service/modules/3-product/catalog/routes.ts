import { defineHandlers } from '#platform/http/context.ts';
import { type CatalogDeps, getCatalogEntry, listCatalog } from './list-catalog.ts';

export function catalogHandlers(deps: CatalogDeps) {
  return defineHandlers({
    listCatalog: ({ query }, { actor, now }) => listCatalog(deps, actor, query, now),
    getCatalogEntry: ({ params, query }, { actor, now }) =>
      getCatalogEntry(deps, actor, { ...query, templateName: params.templateName }, now),
  });
}
