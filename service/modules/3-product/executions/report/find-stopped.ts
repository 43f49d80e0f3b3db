import { readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { EngineDispatch, StoppedRun } from '../engine.ts';
import type { Finisher } from './finish.ts';
import { findUnreported, readUnreportedFlows } from './store-stopped.ts';

export type FindStoppedDeps = { db: Database; engine: EngineDispatch; finisher: Finisher; log: Log };

/** A flow reports within a second or two. */
const UNREPORTED_SECONDS = 5;
/** Flows asked about in one round, a few calls of the engine. */
const FLOWS_MAX = 64;
/** Runs read in one round. The engine reads whole runs, so few at a time. */
const READS_MAX = 16;
const CONCURRENCY = 4;
/** Runs that need not be read again. */
const SEEN_MAX = 10_000;
/** A run that cannot be read must not end every round: it is left to the timeout. */
const TRIES_MAX = 3;
const FAILURES_MAX = 1_000;

/**
 * Creates the search for runs that the engine ended without success (a limit, an error of its own): their flow could not report, and without the
 * search they would wait for their deadline. Each call is one round: it asks the engine about flows with executions that have not ended for
 * some seconds, and ends those whose run has. Returns how many ended. The first failure ends the round: the timeout finds the rest.
 */
export function createStoppedFinder(deps: FindStoppedDeps): () => Promise<number> {
  const seen = new Set<string>();
  const failures = new Map<string, number>();
  const remember = (runId: string): void => {
    seen.add(runId);
    if (seen.size > SEEN_MAX) for (const oldest of seen) if (seen.delete(oldest)) break;
  };
  return async () => {
    const flows = await readUnreportedFlows(deps.db, { olderSeconds: UNREPORTED_SECONDS, batch: FLOWS_MAX });
    if (flows.length === 0) return 0;
    try {
      const stopped = await deps.engine.listStopped(flows.map(({ providerFlowId, since }) => ({ flowId: providerFlowId, since })));
      const partnerOf = new Map(flows.map((one) => [one.providerFlowId, one.partnerId]));
      const unread = stopped.filter(({ runId, flowId }) => !seen.has(runId) && partnerOf.has(flowId));
      const waiting = byTurns(unread, ({ flowId }) => partnerOf.get(flowId) ?? '').slice(0, READS_MAX);
      let ended = 0;
      const endNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          try {
            if (await endStopped(deps, next)) ended += 1;
          } catch (error) {
            const tries = (failures.get(next.runId) ?? 0) + 1;
            if (tries < TRIES_MAX) {
              if (failures.size >= FAILURES_MAX) failures.clear();
              failures.set(next.runId, tries);
              throw error;
            }
          }
          failures.delete(next.runId);
          remember(next.runId);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, endNext));
      if (ended > 0) deps.log.info({ ended }, 'ended executions whose run stopped in the engine without a report');
      return ended;
    } catch (error) {
      deps.log.warn({ err: error }, 'could not ask the engine for runs that stopped');
      return 0;
    }
  };
}

async function endStopped(deps: FindStoppedDeps, { runId, flowId }: StoppedRun): Promise<boolean> {
  const read = await deps.engine.readStopped(runId);
  if (!read) return false;
  const workflowId = await findUnreported(deps.db, read.executionId, flowId);
  if (workflowId === undefined) return false;
  const verdict = readEngineRun(read.run, { executionId: read.executionId, workflowId });
  return verdict.is === 'ended' && (await deps.finisher.report(verdict.report)).applied;
}

/** The first of each key, then the second of each, and so on. */
function byTurns<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const groups = [...Map.groupBy(items, keyOf).values()];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}
