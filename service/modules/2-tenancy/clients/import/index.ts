import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ImportDeps } from './deps.ts';
import { importClients } from './import-clients.ts';
import { IMPORT_COLUMNS, readImport, readImportRows, readImports, ROW_COLUMNS, templateFile } from './read-imports.ts';
import { deleteOldImports, forgetFormerValues } from './store.ts';
import { undoImport } from './undo-import.ts';

export type { ImportDeps };

const BATCH = 1_000;
const DAY_MS = 86_400_000;

/** Clients from a file, and taking that back. */
export function clientImport(deps: ImportDeps) {
  return {
    routes: defineHandlers({
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
    }),
    crons: [defineCron('clients.forget-imports', '23 * * * *', () => forgetImports(deps))],
  };
}

/** Forgets former values that are of no more use, and imports after some months. */
export async function forgetImports({ db, clock }: Pick<ImportDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const oldest = new Date(now.getTime() - LIMITS.importDays * DAY_MS);
  while ((await db.asSystem('sweep', (tx) => forgetFormerValues(tx, now, BATCH))) === BATCH);
  while ((await db.asSystem('sweep', (tx) => deleteOldImports(tx, oldest, 10))) === 10);
}
