import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { ImportDeps } from './deps.ts';
import { deleteOldImports, forgetFormerValues } from './store.ts';
import { importHandlers } from './routes.ts';

export type { ImportDeps };

const BATCH = 1_000;
const DAY_MS = 86_400_000;

/** Clients from a file, and taking that back. */
export function clientImport(deps: ImportDeps) {
  return {
    routes: importHandlers(deps),
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
