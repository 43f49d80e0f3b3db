import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { ImportDeps } from './deps.ts';
import { importClients } from './import-clients.ts';
import { IMPORT_COLUMNS, readImport, readImportRows, readImports, ROW_COLUMNS, templateFile } from './read-imports.ts';
import { undoImport } from './undo-import.ts';

export function importHandlers(deps: ImportDeps) {
  return defineHandlers({
    importClients: ({ body }, context) => importClients(deps, context, body),
    getClientImportTemplate: () => templateFile(),
    listClientImports: ({ query }, { actor }) => readImports(deps, actor, query),
    exportClientImports: ({ query }, { actor, now }) =>
      csvOfList({ name: 'client-imports', now }, IMPORT_COLUMNS, (cursor) =>
        readImports(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
      ),
    getClientImport: ({ params }, { actor }) => readImport(deps, actor, params.id),
    listClientImportRows: ({ params, query }, { actor }) => readImportRows(deps, actor, params.id, query),
    exportClientImportRows: ({ params, query }, { actor, now }) =>
      csvOfList({ name: 'client-import', now }, ROW_COLUMNS, (cursor) =>
        readImportRows(deps, actor, params.id, { ...query, limit: CSV_PAGE, cursor }),
      ),
    undoClientImport: ({ params }, context) => undoImport(deps, context, params.id),
  });
}
