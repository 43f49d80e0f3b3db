import type { Actor } from '#platform/actor.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { checkAllDrift, verifyAutomation } from './drift/check-drift.ts';
import type { ProvisioningDeps } from './deps.ts';
import { createRunningAttempts, provision } from './attempts/provision.ts';
import { lookAtEngine } from './views/read-engine.ts';
import { reapOverdueAttempts } from './attempts/reap-attempts.ts';
import { provisioningHandlers } from './routes.ts';
import type { AttemptRequest } from './attempts/start-attempt.ts';

export type { ProvisioningDeps, ProvisioningSettings } from './deps.ts';
export { instanceStatusChanged } from './attempts/change-instance.ts';
export type { AttemptRequest } from './attempts/start-attempt.ts';

/** Installing agents in the engine: the pipeline, its records, and who may see what of it. */
export function provisioning(deps: ProvisioningDeps) {
  const running = createRunningAttempts(deps);
  return {
    routes: {
      ...provisioningHandlers(deps, running),
      ...defineHandlers({ verifyAutomation: ({ params }, context) => verifyAutomation(deps, context, params.id) }),
    },
    crons: [
      defineCron('provisioning.reap', '* * * * *', async () => void (await reapOverdueAttempts(deps))),
      defineCron('provisioning.check-drift', '17 3 * * *', async ({ signal }) => void (await checkAllDrift(deps, signal))),
    ],
    /** Runs the pipeline for the person who asked and answers as the route does; a failed pipeline is an answer. */
    provision: (actor: Actor, request: AttemptRequest) => provision(deps, running, actor, request, { respondAsync: false }),
    /** Ends what is overdue now, as every minute: at a start, what a process that died left behind need not wait for the clock. */
    reap: () => reapOverdueAttempts(deps),
    /** Holds every installed flow against its template; answers how many have drifted. */
    checkDrift: () => checkAllDrift(deps),
    /** The engine's part of the readiness answer. Never throws. */
    lookAtEngine: () => lookAtEngine(deps),
    /** Resolves when no attempt runs here. */
    idle: () => running.idle(),
    /** Lets attempts that run here end at their next step, as failed. */
    stop: () => running.stop(),
  };
}

export type Provisioning = ReturnType<typeof provisioning>;
