import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import type { RolloutsDeps } from './deps.ts';
import { pauseRollout, readRollout, readRollouts, startRollout } from './start-rollout.ts';

export function rolloutHandlers(deps: RolloutsDeps) {
  return defineHandlers({
    listRollouts: ({ query }, { actor }) => readRollouts(deps, actor, query.templateName),
    createRollout: async ({ body }, context) => answer(201, await startRollout(deps, context, body)),
    getRollout: ({ params }, { actor }) => readRollout(deps, actor, params.rolloutId),
    pauseRollout: ({ params, body }, context) => pauseRollout(deps, context, params.rolloutId, body?.paused ?? true),
  });
}
