import { afterLookup, type DispatchStep } from '@partner-portal/core/execution/dispatch.ts';
import { readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import { isDataError } from '#platform/batch.ts';
import type { Clock } from '#platform/clock.ts';
import { forEach } from '#platform/for-each.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { Finisher } from '../report/finish.ts';
import type { EngineDispatch, EngineRun } from '../engine.ts';
import { claimExpiredDispatches, type ExpiredDispatch, type Settlement } from './store-dispatch.ts';

export type RecoverDeps = { db: Database; engine: EngineDispatch; finisher: Finisher; clock: Clock; log: Log };

export type Recovered = {
  /** Ended as handed over. */
  done: number;
  /** Due to be sent again. */
  again: number;
  /** Number of dispatches that are looked up again. */
  asked: number;
};

const BATCH = 64;
/** Claimed per partner at once, so that other partners wait for this many lookups at most. */
const SHARE = 16;
/** Flows looked up at a time: an engine without keys reads whole runs. */
const CONCURRENCY = 4;

/**
 * Looks up at the engine what was sent without an answer: by a process that died, or by a call that was cut off. An execution the engine has is
 * followed (its result is taken when it has ended), one that it certainly never stored is sent again, any other is asked for again later. The
 * first failure ends the round: an engine that is away would hold up every lookup.
 */
export async function recoverUnanswered(
  deps: RecoverDeps,
  worker: string,
  leaseSeconds: number,
  settle: (settlement: Settlement) => Promise<unknown>,
): Promise<Recovered> {
  const claimed = await claimExpiredDispatches(deps.db, worker, { batch: BATCH, share: SHARE, leaseSeconds });
  const recovered: Recovered = { done: 0, again: 0, asked: 0 };
  let isAway = false;
  await forEach([...Map.groupBy(claimed, (one) => one.providerFlowId)], CONCURRENCY, async ([flowId, some]) => {
    const found = flowId === null || isAway ? undefined : await findRuns(deps, flowId, some);
    if (flowId !== null && !found) isAway = true;
    const steps = await Promise.all(some.map((one) => decide(deps, one, found?.get(one.executionId))));
    for (const step of steps) recovered[step.next === 'ask' ? 'asked' : step.next] += 1;
    await Promise.all(some.map((one, at) => settle({ ...one, step: steps[at] ?? afterLookup('unanswered', 0) })));
  });
  return recovered;
}

/** Returns undefined when the engine cannot be asked now. */
async function findRuns(deps: RecoverDeps, flowId: string, wanted: readonly ExpiredDispatch[]) {
  try {
    return await deps.engine.findRuns(flowId, wanted);
  } catch (error) {
    deps.log.warn({ err: error, executions: wanted.length }, 'could not ask the engine about dispatches without an answer');
    return undefined;
  }
}

async function decide(
  deps: RecoverDeps,
  one: ExpiredDispatch,
  run: EngineRun | null | 'unseen' | undefined,
): Promise<Exclude<DispatchStep, { next: 'fail' }>> {
  const sinceMs = deps.clock.now().getTime() - one.sentAt.getTime();
  // While its agency is being set up no miss counts, so it would be sent to the agent’s next flow although the deleted one may have run it.
  if (one.providerFlowId === null && one.isBeingSetUp) return afterLookup('unseen', sinceMs);
  // The agent was deleted: the dispatcher fails it after its misses.
  if (one.providerFlowId === null) return { next: 'again', waitMs: 0, missed: true };
  if (run === undefined) return afterLookup('unanswered', sinceMs);
  // A flow that was deleted took its runs with it: that there is none says nothing.
  if (run === 'unseen' || (run === null && one.isFlowReplaced)) return afterLookup('unseen', sinceMs);
  if (run === null) return afterLookup('none', sinceMs);
  const verdict = readEngineRun(run, one);
  if (verdict.is === 'ended') {
    try {
      await deps.finisher.report(verdict.report);
    } catch (error) {
      deps.log.warn({ err: error, executionId: one.executionId }, 'could not store the result of an execution read from the engine');
      // A result that cannot be stored is left to the timeout.
      if (!isDataError(error)) return afterLookup('unanswered', sinceMs);
    }
  }
  return afterLookup('found', sinceMs);
}
