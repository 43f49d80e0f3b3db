import type { Actor } from '#platform/actor.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf } from '#modules/1-ledger/audit/index.ts';
import type { Attempt } from './attempt.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { runAttempt } from './run-attempt.ts';
import { type AttemptRequest, startAttempt } from './start-attempt.ts';
import { readProvisionAnswer } from '../views/read-automation.ts';

/** The attempts that run in this process. */
export type RunningAttempts = {
  /** Starts the steps; they go on when the caller is gone. */
  run(attempt: Attempt): ReturnType<typeof runAttempt>;
  /** Resolves when no attempt runs here. */
  idle(): Promise<void>;
  /** Lets running attempts end at their next step, as failed, and waits for them. */
  stop(): Promise<void>;
};

export function createRunningAttempts(deps: ProvisioningDeps): RunningAttempts {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    run(attempt) {
      const end = runAttempt(deps, attempt, stopping.signal);
      // Only the database being away gets here: the reaper ends what could not be written.
      const settled = end.catch((error: unknown) =>
        deps.log.error({ err: error, attemptId: attempt.id }, 'provisioning attempt lost its database'),
      );
      running.add(settled);
      void settled.finally(() => running.delete(settled));
      return end;
    },
    idle,
    stop() {
      stopping.abort();
      return idle();
    },
  };
}

/**
 * Runs the pipeline within the request; with `respondAsync` answers as soon as the attempt is on record. A failed pipeline is an
 * answer, not a refusal; a lost claim is one (product.md §5.5).
 */
export async function provision(
  deps: ProvisioningDeps,
  running: RunningAttempts,
  actor: Actor,
  request: AttemptRequest,
  options: { respondAsync: boolean; caller?: Parameters<typeof originOf>[0] },
) {
  const attempt = await startAttempt(deps, actor, request, options.caller && originOf(options.caller));
  const end = running.run(attempt);
  if (options.respondAsync) {
    // The end is on record in any case; nobody waits for it here.
    end.catch(() => undefined);
  } else if ((await end) === 'claim_lost') {
    return refuse('provision_in_progress', { detail: 'Another setup of this agency is running. Wait until it has ended.' });
  }
  return readProvisionAnswer(deps, actor, attempt.partnerId, attempt.id);
}
