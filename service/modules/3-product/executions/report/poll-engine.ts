import { type EngineVerdict, readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import type { Database } from '#platform/db/tx.ts';
import { forEach } from '#platform/for-each.ts';
import type { Log } from '#platform/log.ts';
import { type EngineDispatch, type EngineRun, findRun } from '../engine.ts';
import { type OverdueInEngine, readOverdueInEngine } from './store-overdue.ts';

export type PollEngineDeps = { db: Database; engine: EngineDispatch; log: Log };
/** `moved`: another worker has extended or ended it in the meantime. */
export type OverdueVerdict = EngineVerdict | { is: 'extended' } | { is: 'moved' };

/** The engine reads whole runs per request, so few are polled at a time, and none for longer than this. */
const CONCURRENCY = 4;
const POLL_TIMEOUT_MS = 10_000;

/**
 * Polls the engine for overdue executions. The result leaves out executions that the engine does not know or that could not be polled. The first
 * failure ends the polling: an engine that is down would hold up the deadlines of all others.
 */
export async function pollEngine(
  deps: PollEngineDeps,
  runs: readonly { id: string; workflowId: string }[],
): Promise<Map<string, OverdueVerdict>> {
  const verdicts = new Map<string, OverdueVerdict>();
  if (runs.length === 0) return verdicts;
  const workflowOf = new Map(runs.map((run) => [run.id, run.workflowId]));
  const found = await readOverdueInEngine(deps.db, [...workflowOf.keys()]);
  for (const one of found) if (!one.due) verdicts.set(one.id, { is: 'moved' });
  const waiting = found.filter((one) => one.due);
  let isAway = false;
  await forEach(waiting, CONCURRENCY, async (one) => {
    if (isAway) return;
    const run = one.providerFlowId === null ? null : await pollOne(deps, { ...one, providerFlowId: one.providerFlowId });
    if (run === undefined) isAway = true;
    if (!run) return;
    const verdict = readEngineRun(run, { executionId: one.id, workflowId: workflowOf.get(one.id) ?? '' });
    verdicts.set(one.id, verdict.is === 'running' && one.extended ? { is: 'extended' } : verdict);
  });
  return verdicts;
}

/** Returns the engine's run, null when it finds none, undefined when it cannot be polled now. */
async function pollOne(deps: PollEngineDeps, one: OverdueInEngine & { providerFlowId: string }): Promise<EngineRun | null | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), POLL_TIMEOUT_MS);
  const polled = findRun(deps.engine, one.providerFlowId, one.id, one.startedAt).catch((error: unknown) => {
    deps.log.warn({ err: error, executionId: one.id }, 'could not poll the engine for an overdue execution');
    return undefined;
  });
  const run = await Promise.race([polled, late.promise]);
  clearTimeout(timer);
  return run === 'unseen' ? null : run;
}
