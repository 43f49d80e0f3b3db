import { randomUUID } from 'node:crypto';
import { afterDispatch } from '@partner-portal/core/execution/dispatch.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { createPump } from '#platform/jobs/pump.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import { dispatchPayload } from './dispatch-payload.ts';
import type { EngineDispatch } from './engine.ts';
import type { Finisher } from '../report/finish.ts';
import {
  type ClaimedDispatch,
  claimDispatches,
  claimExpiredDispatches,
  releaseDelayedDispatches,
  type Settlement,
  settleDispatches,
} from './store-dispatch.ts';

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
  /** Claims now: an execution was accepted in this process, or a notification arrived. */
  wake(): void;
  /** Waits for calls in progress. */
  stop(): Promise<void>;
  /** Claims once and waits until all of it is dispatched. Returns how many. For tests and for draining a worker. */
  runOnce(): Promise<number>;
  /** Reconciles expired leases with the engine. Returns how many were settled. */
  recoverExpired(): Promise<number>;
};

const IN_FLIGHT_MAX = 64;
/** Claimed per partner at once, so that other partners wait for this many calls at most. */
const SHARE = 16;
/** Longer than any call to the engine may take, so that a live worker never loses its lease. */
const LEASE_SECONDS = 30;
/** A call may take 15 s. One that starts later than this, because the process was suspended, could outlive its lease. */
const START_WITHIN_MS = 12_000;
const POLL_MS = 1_000;
const RECOVER_MS = 5_000;

/**
 * Dispatches accepted executions to the engine: fair between partners, bounded in flight, many per statement. A loop instead of queue jobs,
 * because a job per execution would cost a lock, a row and a completion each (ADR 0004). A row stays in the queue until the engine has
 * responded, so a crash loses nothing; an expired lease is reconciled with the engine before anything is sent again.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const worker = `dispatch-${randomUUID()}`;
  /** The engine could not be reached when it was last called. */
  let isEngineDown = false;
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
    const free = IN_FLIGHT_MAX - pump.inFlight();
    if (free <= 0) return 0;
    const claimedAt = deps.clock.now();
    const claimed = await claimDispatches(deps.db, worker, { batch: free, share: SHARE, leaseSeconds: LEASE_SECONDS });
    for (const one of claimed) {
      const task = send(one, claimedAt).catch((error: unknown) =>
        deps.log.error({ err: error, executionId: one.executionId }, 'could not settle a dispatch'),
      );
      void pump.track(task).finally(pump.resume);
    }
    return claimed.length;
  };
  const send = async (one: ClaimedDispatch, claimedAt: Date): Promise<void> => {
    if (deps.clock.now().getTime() - claimedAt.getTime() > START_WITHIN_MS) {
      deps.log.warn({ executionId: one.executionId }, 'claimed too long ago to dispatch safely; reconciled when the lease has expired');
      return;
    }
    const template = one.templateName === null ? undefined : deps.templateOf(one.templateName);
    const outcome =
      one.providerFlowId === null
        ? 'not_found'
        : await deps.engine.dispatch(
            one.providerFlowId,
            dispatchPayload(one, template, { secret: deps.callbackSecret, now: deps.clock.now() }),
          );
    if (outcome === 'unreachable') isEngineDown = true;
    else if (isEngineDown) {
      isEngineDown = false;
      await releaseDelayedDispatches(deps.db);
      pump.requestRound();
    }
    const step = afterDispatch(outcome, one);
    if (step.next === 'done') await settler.add({ executionId: one.executionId, retry: null });
    else if (step.next === 'again') await settler.add({ executionId: one.executionId, retry: step });
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
  const pump = createPump({
    // A full share means that more may be waiting.
    round: async () => (await claim()) >= SHARE,
    pollMs: POLL_MS,
    hasCapacity: () => pump.inFlight() < IN_FLIGHT_MAX,
    log: deps.log,
    what: 'dispatches',
  });
  const recoverExpired = (): Promise<number> => recoverClaims(deps, worker, settler);
  return {
    start() {
      const recoverNow = (): void => {
        recoverExpired().then(
          (count) => count > 0 && pump.wake(),
          (error: unknown) => deps.log.warn({ err: error }, 'could not reconcile expired dispatches'),
        );
      };
      recover = setInterval(recoverNow, RECOVER_MS);
      pump.start();
      recoverNow();
    },
    wake: pump.wake,
    stop() {
      clearInterval(recover);
      return pump.stop();
    },
    async runOnce() {
      const count = await claim();
      await pump.settled();
      return count;
    },
    recoverExpired,
  };
}

/**
 * An expired lease is ambiguous: the engine may have been called. Only an execution that the engine does not know is sent again; one that
 * may be among more runs than can be searched is not. While the engine is down, the lease is claimed again later.
 */
async function recoverClaims(deps: DispatcherDeps, worker: string, settler: { add(one: Settlement): Promise<null> }): Promise<number> {
  const expired = await claimExpiredDispatches(deps.db, worker, { batch: 50, leaseSeconds: LEASE_SECONDS });
  const decided = await Promise.all(
    expired.map(async (one) => {
      if (one.providerFlowId === null) return { executionId: one.executionId, retry: { waitMs: 0, missed: true } };
      try {
        const run = await deps.engine.findRun(one.providerFlowId, one.executionId, one.createdAt);
        // `unseen` may be running; its timeout decides.
        return { executionId: one.executionId, retry: run ? null : { waitMs: 0, missed: false } };
      } catch (error) {
        deps.log.warn({ err: error, executionId: one.executionId }, 'could not poll the engine for an execution');
        return undefined;
      }
    }),
  );
  const settled = decided.filter((one) => one !== undefined);
  await Promise.all(settled.map((one) => settler.add(one)));
  return settled.length;
}
