import type { Actor } from '#platform/actor.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf } from '#modules/1-ledger/audit/index.ts';
import type { Attempt } from '../attempt.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { type AttemptEnd, runAttempt } from './run-attempt.ts';
import { type AttemptRequest, startAttempt } from './start-attempt.ts';
import { readProvisionAnswer } from '../views/read-automation.ts';

/** Attempts running in this process. */
export type RunningAttempts = {
  /** Refuses once this process stops: an attempt that begins now could only fail. Called before one is written. */
  refuseWhileStopping(): void;
  /** Starts the steps in the background, and `afterwards` what follows from their end. */
  run(attempt: Attempt, afterwards?: (end: AttemptEnd) => Promise<void>): ReturnType<typeof runAttempt>;
  /** Resolves when no attempt runs in this process. */
  idle(): Promise<void>;
  /** Fails running attempts at their next step and waits for them. */
  stop(): Promise<void>;
};

export function createRunningAttempts(deps: ProvisioningDeps): RunningAttempts {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    refuseWhileStopping() {
      if (stopping.signal.aborted) refuse('provision_in_progress', { detail: 'The service is restarting. Please try again in a minute.' });
    },
    run(attempt, afterwards) {
      const end = runAttempt(deps, attempt, stopping.signal);
      // Only a database failure gets here; the timeout sweep ends the attempt.
      const settled = end
        .then(afterwards)
        .catch((error: unknown) => deps.log.error({ err: error, attemptId: attempt.id }, 'provisioning attempt could not be recorded'));
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
 * Runs the pipeline and returns its end, or the attempt as it is after `answerWithinMs`: the steps go on behind the answer, 0 returns as soon as
 * the attempt is recorded. A failed attempt is returned; a lost claim is refused, unless the answer came first.
 */
export async function provision(
  deps: ProvisioningDeps,
  running: RunningAttempts,
  actor: Actor,
  request: AttemptRequest,
  options: { answerWithinMs?: number; caller?: Parameters<typeof originOf>[0] } = {},
) {
  running.refuseWhileStopping();
  const attempt = await startAttempt(deps, actor, request, options.caller && originOf(options.caller));
  const end = running.run(attempt);
  // The attempt itself records everything after the answer.
  end.catch(() => undefined);
  if ((await within(options.answerWithinMs, end)) === 'claim_lost') {
    return refuse('provision_in_progress', { detail: 'Another setup of this agency is running. Wait until it has finished.' });
  }
  return readProvisionAnswer(deps, actor, attempt.partnerId, attempt.id);
}

/** The end of an attempt, or undefined when it has none after `ms`. */
async function within(ms: number | undefined, end: Promise<AttemptEnd>): Promise<AttemptEnd | undefined> {
  if (ms === undefined) return end;
  if (ms <= 0) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return Promise.race([end, promise]).finally(() => clearTimeout(timer));
}
