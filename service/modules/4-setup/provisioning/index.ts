import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { checkAllDrift } from './drift/check-drift.ts';
import type { ProvisioningDeps } from './deps.ts';
import { installSample, readSetupOfSample } from './attempts/install-sample.ts';
import { createRunningAttempts, provision } from './attempts/provision.ts';
import { createEngineLook } from './views/look-at-engine.ts';
import { reapOverdueAttempts } from './attempts/reap-attempts.ts';
import { readTenancyMessage } from './views/read-engine.ts';
import { createEngineRefresh } from './views/refresh-engine.ts';
import { provisioningHandlers } from './routes.ts';
import type { AttemptRequest } from './attempts/start-attempt.ts';
import { tearDownAccount } from './steps/tear-down-account.ts';

export type { ProvisioningDeps, ProvisioningSettings } from './deps.ts';
export { instanceStatusChanged } from './change-instance.ts';
export { findChangedSetups } from './views/changed-setups.ts';
export { provisioningChanged } from './views/topic.ts';
export type { AttemptRequest } from './attempts/start-attempt.ts';

/** Installs agents in the engine: the pipeline, its records and their views. */
export function provisioning(deps: ProvisioningDeps) {
  const running = createRunningAttempts(deps);
  const lookAtEngine = createEngineLook(deps);
  const session = createEngineRefresh(deps, lookAtEngine);
  return {
    routes: provisioningHandlers(deps, { running, look: lookAtEngine, refresh: session.refresh }),
    crons: [
      defineCron('provisioning.reap', '* * * * *', async () => void (await reapOverdueAttempts(deps))),
      defineCron('provisioning.check-drift', '17 3 * * *', async ({ signal }) => void (await checkAllDrift(deps, signal))),
    ],
    /** Runs the pipeline for an acting user and returns what the route returns. A failed attempt is returned, not thrown. */
    provision: (actor: Actor, request: AttemptRequest) => provision(deps, running, actor, request),
    /** The setup of the sample's agent, which is the one that an agency's admin may start. */
    sample: {
      read: (tx: Tx, partnerId: string, templateName: string) => readSetupOfSample(deps, tx, partnerId, templateName),
      install: (context: Parameters<typeof installSample>[2], templateName: string, afterwards: (attemptId: string) => Promise<void>) =>
        installSample(deps, running, context, templateName, afterwards),
    },
    /** Ends overdue attempts now; called at start for those a dead process left. */
    reap: () => reapOverdueAttempts(deps),
    /** Compares every installed flow with its template; returns how many have drifted. */
    checkDrift: () => checkAllDrift(deps),
    /** Removes a deleted account from the engine; see there. Not inside a transaction. */
    tearDownAccount: (account: Parameters<typeof tearDownAccount>[1], guard: Parameters<typeof tearDownAccount>[2]) =>
      tearDownAccount(deps, account, guard),
    /** What a start says when agencies were set up in another tenancy mode than the one of the settings; null when there are none. */
    readTenancyMessage: () => readTenancyMessage(deps),
    /** State of the engine for readiness. Never throws. */
    lookAtEngine: () => lookAtEngine(),
    /** Resolves when no attempt runs in this process. */
    idle: () => running.idle(),
    /** Fails attempts of this process at their next step. */
    stop: () => {
      session.stop();
      return running.stop();
    },
  };
}

export type Provisioning = ReturnType<typeof provisioning>;
