import { randomUUID } from 'node:crypto';
import { afterDispatch } from '@partner-portal/core/execution/dispatch.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import { dispatchPayload } from './dispatch-payload.ts';
import type { EngineDispatch } from './engine.ts';
import type { Finisher } from '../report/finish.ts';
import {
  type ClaimedDispatch,
  claimDispatches,
  claimLapsedDispatches,
  releaseDelayedDispatches,
  type Settlement,
  settleDispatches,
} from '../store-hot.ts';

export type DispatcherDeps = {
  db: Database;
  engine: EngineDispatch;
  finisher: Finisher;
  templateOf: (name: string) => Template | undefined;
  callbackSecret: Secret;
  clock: Clock;
  log: Log;
};

export type Dispatcher = {
  start(): void;
  /** Something was accepted in this process, or a notice came. */
  wake(): void;
  /** Lets calls under way finish. */
  stop(): Promise<void>;
  /** One round at once, to its end: what is due is handed to the engine. Returns how many. For tests and for a worker that is asked to drain. */
  runOnce(): Promise<number>;
  /** Asks the engine about claims whose worker died. */
  recoverLapsed(): Promise<number>;
};

const IN_FLIGHT_MAX = 64;
/** Of one agency in one round: the others wait for this many calls at most. */
const SHARE = 16;
/** Longer than any call to the engine may take, so that a live worker never loses a claim. */
const LEASE_SECONDS = 30;
/** A call may last 15 s. One that begins later than this, because the process stood still, could outlive its claim. */
const BEGIN_WITHIN_MS = 12_000;
const POLL_MS = 1_000;
const RECOVER_MS = 5_000;

/**
 * Hands accepted runs to the engine: fair between agencies, bounded in flight, many per statement. It is a loop and no
 * queue job, because a job per run would cost a lock, a row and a completion each (ADR 0004). A row stays in the table until the engine has
 * answered, so nothing is lost when the process dies; what a dead process had claimed is asked of the engine before it is sent again.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const worker = `dispatch-${randomUUID()}`;
  const running = new Set<Promise<void>>();
  let active = false;
  let claiming: Promise<number> | undefined;
  let again = false;
  /** The engine could not be reached when it was last called. */
  let isEngineAway = false;
  let poll: NodeJS.Timeout | undefined;
  let recover: NodeJS.Timeout | undefined;
  const settler = createBatcher<Settlement, null>({
    run: async (settlements) => {
      await settleDispatches(deps.db, settlements);
      return settlements.map(() => null);
    },
    itemsMax: 300,
    inFlightMax: 1,
    isPoison: isDataError,
  });

  const claim = async (): Promise<number> => {
    const free = IN_FLIGHT_MAX - running.size;
    if (free <= 0) return 0;
    const claimedAt = deps.clock.now();
    const claimed = await claimDispatches(deps.db, worker, { batch: free, share: SHARE, leaseSeconds: LEASE_SECONDS });
    for (const one of claimed) {
      const task = send(one, claimedAt).catch((error: unknown) =>
        deps.log.error({ err: error, executionId: one.executionId }, 'dispatch not settled'),
      );
      running.add(task);
      void task.finally(() => {
        running.delete(task);
        if (active && again) pump();
      });
    }
    return claimed.length;
  };
  const send = async (one: ClaimedDispatch, claimedAt: Date): Promise<void> => {
    if (deps.clock.now().getTime() - claimedAt.getTime() > BEGIN_WITHIN_MS) {
      deps.log.warn({ executionId: one.executionId }, 'claimed too long ago to be handed over; looked at again when the claim has lapsed');
      return;
    }
    const template = one.templateName === null ? undefined : deps.templateOf(one.templateName);
    const answer =
      one.providerFlowId === null
        ? 'not_found'
        : await deps.engine.dispatch(
            one.providerFlowId,
            dispatchPayload(one, template, { secret: deps.callbackSecret, now: deps.clock.now() }),
          );
    if (answer === 'unreachable') isEngineAway = true;
    else if (isEngineAway) {
      isEngineAway = false;
      await releaseDelayedDispatches(deps.db);
      again = true;
    }
    const step = afterDispatch(answer, one);
    if (step.next === 'done') await settler.add({ executionId: one.executionId, again: null });
    else if (step.next === 'again') await settler.add({ executionId: one.executionId, again: step });
    else
      await deps.finisher.fail({
        executionId: one.executionId,
        workflowId: one.workflowId,
        templateName: one.templateName,
        input: one.input,
        code: 'dispatch_failed',
        message: step.message,
      });
  };
  /** One claim at a time; a wake-up meanwhile means one more round. */
  const pump = (): void => {
    if (!active) return;
    if (claiming) {
      again = true;
      return;
    }
    again = false;
    claiming = claim()
      .then((count) => {
        // A full share means that more may wait.
        if (count >= SHARE) again = true;
        return count;
      })
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'nothing could be claimed for dispatch');
        return 0;
      })
      .finally(() => {
        claiming = undefined;
        if (again && running.size < IN_FLIGHT_MAX) setImmediate(pump);
      });
  };
  const recoverLapsed = (): Promise<number> => recoverClaims(deps, worker, settler);
  return {
    start() {
      active = true;
      poll = setInterval(pump, POLL_MS);
      const recoverNow = (): void => {
        recoverLapsed().then(
          (count) => count > 0 && pump(),
          (error: unknown) => deps.log.warn({ err: error }, 'lapsed dispatches not looked at'),
        );
      };
      recover = setInterval(recoverNow, RECOVER_MS);
      pump();
      recoverNow();
    },
    wake: pump,
    async stop() {
      active = false;
      clearInterval(poll);
      clearInterval(recover);
      await claiming;
      await Promise.all(running);
    },
    async runOnce() {
      const count = await claim();
      await Promise.all(running);
      return count;
    },
    recoverLapsed,
  };
}

/**
 * A claim without a living worker is ambiguous: the engine may have been called. It is asked; only a run it does not
 * know is sent again; one that may be among more runs than can be looked through is not. While it cannot be asked the claim is simply looked at again later.
 */
async function recoverClaims(deps: DispatcherDeps, worker: string, settler: { add(one: Settlement): Promise<null> }): Promise<number> {
  const lapsed = await claimLapsedDispatches(deps.db, worker, { batch: 50, leaseSeconds: LEASE_SECONDS });
  const decided = await Promise.all(
    lapsed.map(async (one) => {
      if (one.providerFlowId === null) return { executionId: one.executionId, again: { waitMs: 0, missed: true } };
      try {
        const run = await deps.engine.findRun(one.providerFlowId, one.executionId, one.createdAt);
        // `unseen` may be running: the timeout decides.
        return { executionId: one.executionId, again: run ? null : { waitMs: 0, missed: false } };
      } catch (error) {
        deps.log.warn({ err: error, executionId: one.executionId }, 'the engine could not be asked about a run');
        return undefined;
      }
    }),
  );
  const settled = decided.filter((one) => one !== undefined);
  await Promise.all(settled.map((one) => settler.add(one)));
  return settled.length;
}
