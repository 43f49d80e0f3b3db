import { readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import { isDataError } from '#platform/batch.ts';
import type { Database } from '#platform/db/tx.ts';
import { forEach } from '#platform/for-each.ts';
import type { Log } from '#platform/log.ts';
import type { EngineDispatch } from '../engine.ts';
import type { Finisher } from './finish.ts';
import { claimUnreported, type Unreported } from './store-unreported.ts';

export type FindUnreportedDeps = { db: Database; engine: EngineDispatch; finisher: Finisher; log: Log };

/** Executions asked about in one round. */
const BATCH = 64;
/** Flows asked about at a time: an engine without keys reads whole runs. */
const CONCURRENCY = 4;
/** One flow that cannot be read is no sign that the engine is away; as many as this are. */
const FAILURES_MAX = 4;

/**
 * Asks the engine about executions that it took over and that have not ended for some time, and ends those whose result is there: their report came
 * while no process could take it. Returns how many ended and whether there may be more to ask. A flow that cannot be asked about is left for later; so
 * are the rest of the round when the engine seems to be away.
 */
export async function findUnreported(deps: FindUnreportedDeps): Promise<{ ended: number; hasMore: boolean }> {
  const claimed = await claimUnreported(deps.db, BATCH);
  let ended = 0;
  let failures = 0;
  const isAway = (): boolean => failures >= FAILURES_MAX;
  await forEach([...Map.groupBy(claimed, (one) => one.providerFlowId)], CONCURRENCY, async ([flowId, some]) => {
    if (isAway()) return;
    try {
      const ofFlow = await askAbout(deps, flowId, some);
      ended += ofFlow;
    } catch (error) {
      failures += 1;
      deps.log.warn({ err: error }, 'could not ask the engine about executions under way');
    }
  });
  if (ended > 0) deps.log.info({ ended }, 'ended executions whose report did not arrive');
  return { ended, hasMore: claimed.length === BATCH && !isAway() };
}

async function askAbout({ engine, finisher, log }: FindUnreportedDeps, flowId: string, some: readonly Unreported[]): Promise<number> {
  const found = await engine.findRuns(flowId, some);
  const applied = await Promise.all(
    some.map(async ({ executionId, workflowId }) => {
      const run = found.get(executionId);
      if (!run || run === 'unseen') return false;
      const verdict = readEngineRun(run, { executionId, workflowId });
      if (verdict.is !== 'ended') return false;
      try {
        return (await finisher.report(verdict.report)).applied;
      } catch (error) {
        log.warn({ err: error, executionId }, 'could not store the result of an execution read from the engine');
        // A result that cannot be stored is left to the timeout.
        if (isDataError(error)) return false;
        throw error;
      }
    }),
  );
  return applied.filter(Boolean).length;
}
