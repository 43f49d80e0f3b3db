import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { RolloutsDeps } from './deps.ts';
import { rollOutJob } from './roll-out-job.ts';
import { runBatch, sweepRollouts } from './run-batch.ts';
import { rolloutHandlers } from './routes.ts';

/** Rollouts of newer template versions to partners, in batches. */
export function rollouts(deps: RolloutsDeps) {
  return {
    routes: rolloutHandlers(deps),
    jobs: [handleJob(rollOutJob, ({ rolloutId }, { signal }) => runBatch(deps, rolloutId, signal))],
    crons: [defineCron('rollouts.sweep', '* * * * *', (context) => sweepRollouts(deps, context))],
  };
}
