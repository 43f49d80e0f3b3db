import { defineHandlers } from '#platform/http/context.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { PurgeDeps } from './deps.ts';
import { purgeJob } from './purge-job.ts';
import { readPurge } from './read-purge.ts';
import { streamPurge } from './stream-purge.ts';
import { sweepPurges, workThrough } from './work-through.ts';

/** Removes accounts whose deletion is due, step by step. */
export function purge(deps: PurgeDeps) {
  return {
    routes: defineHandlers({
      getPurge: ({ params }, { actor }) => readPurge(deps.db, actor, params.id),
      streamPurge: ({ params }, { actor }) => streamPurge(deps, actor, params.id),
    }),
    jobs: [handleJob(purgeJob, (_payload, context) => workThrough(deps, context))],
    crons: [defineCron('purges.sweep', '* * * * *', async () => void (await sweepPurges(deps)))],
  };
}
