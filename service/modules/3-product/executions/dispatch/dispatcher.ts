import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { NO_LONGER_RUNS } from '@partner-portal/core/execution/acceptance.ts';
import { afterDispatch, afterRecovery } from '@partner-portal/core/execution/dispatch.ts';
import type { Ended, WindowLimits } from '@partner-portal/core/execution/window.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { createPump } from '#platform/jobs/pump.ts';
import { BACKGROUND } from '#platform/rest.ts';
import { createRepeater } from '#platform/jobs/repeater.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { dispatchPayload, stepsInput, stopOf } from './dispatch-payload.ts';
import type { EngineDispatch } from '../engine.ts';
import type { Finisher } from '../report/finish.ts';
import { runAttributes } from '../run-trace.ts';
import { createCapacity } from './capacity.ts';
import { type Recovered, recoverUnanswered } from './recover.ts';
import {
  type ClaimedDispatch,
  claimDispatches,
  expireDispatchLeases,
  releaseDelayedDispatches,
  releaseUnknownClaims,
  type Settlement,
  settleDispatches,
} from './store-dispatch.ts';

export type DispatcherDeps = {
  db: Database;
  engine: EngineDispatch;
  finisher: Finisher;
  templateOf: (name: string) => Template | undefined;
  callbackSecret: Secret;
  /** People whom a client may text for the first time in an hour, unless it has a cap of its own. */
  firstContactsPerHour: number;
  /** No other process uses the database, so that leases found at the start belong to dead ones. */
  isSoleProcess: boolean;
  /** How many runs may be under way; those of core unless a test says otherwise. */
  windowLimits?: WindowLimits | undefined;
  clock: Clock;
  log: Log;
  tracer?: Tracer | undefined;
};

export type Dispatcher = {
  start(): void;
  /** Claims now: an execution was accepted in this process, or a notification arrived. */
  wake(): void;
  /** Counts runs that ended in any process: their places are free, and they show what the engine takes. */
  ended(ended: readonly Ended[]): void;
  /** Waits for calls in progress. */
  stop(): Promise<void>;
  /** Claims once and waits until all of it is dispatched. Returns how many. For tests and for draining a worker. */
  runOnce(): Promise<number>;
  /** Looks up at the engine what was sent without an answer. Returns how many were settled. */
  recoverExpired(): Promise<number>;
};

const IN_FLIGHT_MAX = 64;
/** Claimed per partner at once, so that other partners wait for this many calls at most. */
const SHARE = 16;
/** Events held at the same time. Parsed they take up to twenty times as much. */
const HELD_BYTES_MAX = 4 * 1024 * 1024;
const SHARE_BYTES = 1024 * 1024;
/** Longer than any call to the engine may take, so that a live worker never loses its lease. */
const LEASE_SECONDS = 20;
/** A call may take 15 s. A call that starts later than this, because the process was suspended, could outlive its lease. */
const START_WITHIN_MS = 4_000;
const POLL_MS = 1_000;
/** Interval of the search for dispatches that other processes left; much shorter while a call of this process is unanswered. */
const RECOVER_MS = 5_000;
const RECOVER_SOON_MS = 500;
/** Released at once when the engine is back; the rest follows by their own time. */
const RELEASED_MAX = 10_000;
const SETTLE_RETRY_MS = 100;
const SETTLE_RETRY_MS_MAX = 2_000;

/**
 * Dispatches accepted executions to the engine: fair between partners, bounded in calls and in runs under way, many per statement. A loop instead of queue jobs,
 * because a job per execution would cost a lock, a row and a completion each (ADR 0004). A row stays in the queue until the engine has
 * responded, so a crash loses nothing; what has no response is looked up at the engine before anything is sent again.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const worker = `dispatch-${randomUUID()}`;
  /** A name of its own: what it claims may have been sent, what the other one claims was not. */
  const recoverer = `${worker}-recovery`;
  const stopping = new AbortController();
  /** Claims of this process that are being sent or settled. */
  const held = new Set<string>();
  let heldBytes = 0;
  const capacity = createCapacity(deps.clock, deps.windowLimits);
  const hasByteRoom = (): boolean => heldBytes + LIMITS.eventBytesMax <= HELD_BYTES_MAX;
  /** The response to a claim was lost: it may have claimed rows that this process does not know of. */
  let isClaimLost = false;
  /** The engine could not be reached when it was last called. */
  let isEngineDown = false;
  const settlerOf = (name: string) =>
    createBatcher<Settlement, null>({
      run: async (settlements) => {
        await settleDispatches(deps.db, name, settlements);
        return settlements.map(() => null);
      },
      itemsMax: 300,
      inFlightMax: 1,
      rest: BACKGROUND,
      isPoison: isDataError,
    });
  const settler = settlerOf(worker);
  const recoverySettler = settlerOf(recoverer);

  /** Repeats what is safe to repeat until the database takes it, so that an outcome that is known is not looked up later. */
  const untilStored = async (store: () => Promise<unknown>): Promise<void> => {
    for (let waitMs = SETTLE_RETRY_MS; ; waitMs = Math.min(waitMs * 2, SETTLE_RETRY_MS_MAX)) {
      try {
        await store();
        return;
      } catch (error) {
        if (isDataError(error) || stopping.signal.aborted) throw error;
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const claimFree = async (free: number): Promise<{ claimed: ClaimedDispatch[]; waiting: number }> => {
    if (isClaimLost) await releaseUnknownClaims(deps.db, worker, [...held]);
    isClaimLost = true;
    const {
      claimed,
      isFull,
      held: waiting,
    } = await claimDispatches(deps.db, worker, {
      batch: free,
      share: SHARE,
      leaseSeconds: LEASE_SECONDS,
      freeBytes: Math.max(0, HELD_BYTES_MAX - heldBytes),
      shareBytes: SHARE_BYTES,
      ...capacity.now(),
      firstContacts: deps.firstContactsPerHour,
    });
    isClaimLost = false;
    capacity.note(isFull);
    return { claimed, waiting };
  };
  const claimNow = async (): Promise<{ claimed: number; looked: number }> => {
    const free = IN_FLIGHT_MAX - pump.inFlight();
    if (free <= 0) return { claimed: 0, looked: 0 };
    const claimedAt = deps.clock.now();
    const { claimed, waiting } = await claimFree(free);
    for (const one of claimed) {
      held.add(one.executionId);
      heldBytes += one.bytes;
      const task = send(one, claimedAt)
        .catch((error: unknown) => deps.log.error({ err: error, executionId: one.executionId }, 'could not settle a dispatch'))
        .finally(() => {
          held.delete(one.executionId);
          heldBytes -= one.bytes;
        });
      void pump.track(task).finally(pump.resume);
    }
    return { claimed: claimed.length, looked: claimed.length + waiting };
  };
  /** One claim at a time: another one would take what this one's response is about to name for lost, and release it. */
  let claiming: Promise<unknown> = Promise.resolve();
  const claim = (): ReturnType<typeof claimNow> => {
    const next = claiming.then(claimNow);
    claiming = next.catch(() => undefined);
    return next;
  };
  const engineAnswered = async (): Promise<void> => {
    if (!isEngineDown) return;
    isEngineDown = false;
    await releaseDelayedDispatches(deps.db, RELEASED_MAX);
    pump.requestRound();
  };
  const send = async (one: ClaimedDispatch, claimedAt: Date): Promise<void> => {
    if (deps.clock.now().getTime() - claimedAt.getTime() > START_WITHIN_MS) {
      deps.log.warn({ executionId: one.executionId }, 'claimed too long ago to dispatch safely; reconciled when the lease has expired');
      return;
    }
    const template = one.templateName === null ? undefined : deps.templateOf(one.templateName);
    const why = stopOf(one, template) ?? (one.refusal === null ? null : NO_LONGER_RUNS[one.refusal]);
    if (why !== null) {
      await untilStored(() => deps.finisher.stop({ ...one, input: stepsInput(one, template), why }));
      return;
    }
    const span = deps.tracer?.start({ parent: contextOfRun(one.executionId) });
    const outcome =
      one.providerFlowId === null
        ? 'gone'
        : await deps.engine.dispatch(
            one.providerFlowId,
            one.executionId,
            dispatchPayload(one, template, { secret: deps.callbackSecret, now: deps.clock.now() }),
            span?.traceparent,
          );
    span?.end({
      name: 'dispatch run',
      kind: 'client',
      attributes: { ...runAttributes(one), 'portal.dispatch.attempt': one.attempts, 'portal.dispatch.outcome': outcome },
      error: outcome === 'accepted' ? null : outcome,
    });
    if (outcome === 'unreachable') isEngineDown = true;
    // Without a flow the engine was not called.
    else if (outcome !== 'ambiguous' && one.providerFlowId !== null) await engineAnswered().catch(() => (isEngineDown = true));
    const step = afterDispatch(outcome, one);
    if (step.next === 'fail')
      await untilStored(() =>
        deps.finisher.fail({ ...one, input: stepsInput(one, template), code: 'dispatch_failed', message: step.message }),
      );
    else await untilStored(() => settler.add({ executionId: one.executionId, attempts: one.attempts, step }));
    if (outcome === 'unreachable' || outcome === 'ambiguous') recovery.soon(RECOVER_SOON_MS);
  };
  const pump = createPump({
    // A full share means that more may be waiting.
    round: async () => {
      const before = heldBytes;
      return (await claim()).looked >= SHARE || heldBytes - before >= SHARE_BYTES / 2 || !hasByteRoom();
    },
    pollMs: POLL_MS,
    rest: BACKGROUND,
    hasCapacity: () => pump.inFlight() < IN_FLIGHT_MAX && hasByteRoom(),
    log: deps.log,
    what: 'dispatches',
  });
  const recover = async (): Promise<Recovered> => {
    // The oldest execution shows whether the engine is back: waits of half a minute have grown behind it.
    if (isEngineDown) {
      isEngineDown = (await releaseDelayedDispatches(deps.db, 1)) > 0;
      pump.wake();
    }
    const recovered = await recoverUnanswered(deps, recoverer, LEASE_SECONDS, (one) => recoverySettler.add(one));
    if (recovered.again > 0) pump.wake();
    return recovered;
  };
  const recovery = createRepeater({
    everyMs: RECOVER_MS,
    async round() {
      return afterRecovery(await recover(), isEngineDown);
    },
    onError: (error) => deps.log.warn({ err: error }, 'could not reconcile dispatches without an answer'),
  });
  const start = async (): Promise<void> => {
    if (deps.isSoleProcess) await expireDispatchLeases(deps.db, worker);
    recovery.soon(0);
  };
  return {
    start() {
      recovery.start();
      pump.start();
      start().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'could not end the leases of dead processes; they expire by themselves'),
      );
    },
    wake: pump.wake,
    ended(ended) {
      capacity.ended(ended);
      if (capacity.isHeld()) pump.wake();
    },
    async stop() {
      stopping.abort();
      await recovery.stop();
      await pump.stop();
    },
    async runOnce() {
      const { claimed } = await claim();
      await pump.settled();
      return claimed;
    },
    async recoverExpired() {
      const { done, again } = await recover();
      return done + again;
    },
  };
}
