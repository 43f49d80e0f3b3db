import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { PurgeDeps } from './deps.ts';
import { purgeJob } from './purge-job.ts';
import { sweepPurges, workThrough } from './work-through.ts';
import { purgeHandlers } from './routes.ts';

/** Removes accounts whose deletion is due, step by step. */
export function purge(deps: PurgeDeps) {
  return {
    routes: purgeHandlers(deps),
    jobs: [handleJob(purgeJob, (_payload, context) => workThrough(deps, context))],
    crons: [defineCron('purges.sweep', '* * * * *', async () => void (await sweepPurges(deps)))],
  };
}
