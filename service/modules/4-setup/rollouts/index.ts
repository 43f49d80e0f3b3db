import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { RolloutsDeps } from './deps.ts';
import { rollOutJob } from './roll-out-job.ts';
import { runBatch, sweepRollouts } from './run-batch.ts';
import { pauseRollout, readRollout, readRollouts, startRollout } from './start-rollout.ts';

/** Rollouts of newer template versions to partners, in batches. */
export function rollouts(deps: RolloutsDeps) {
  return {
    routes: defineHandlers({
      listRollouts: ({ query }, { actor }) => readRollouts(deps, actor, query.templateName),
      createRollout: async ({ body }, context) => answer(201, await startRollout(deps, context, body)),
      getRollout: ({ params }, { actor }) => readRollout(deps, actor, params.rolloutId),
      pauseRollout: ({ params, body }, context) => pauseRollout(deps, context, params.rolloutId, body?.paused ?? true),
    }),
    jobs: [handleJob(rollOutJob, ({ rolloutId }, { signal }) => runBatch(deps, rolloutId, signal))],
    crons: [defineCron('rollouts.sweep', '* * * * *', (context) => sweepRollouts(deps, context))],
  };
}
