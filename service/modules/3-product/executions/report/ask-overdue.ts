import { type EngineVerdict, readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { EngineDispatch, EngineRun } from '../dispatch/engine.ts';
import { type OverdueInEngine, readOverdueInEngine } from './store-overdue.ts';

export type AskOverdueDeps = { db: Database; engine: EngineDispatch; log: Log };
/** `moved`: somebody else has looked at it meanwhile. */
export type OverdueVerdict = EngineVerdict | { is: 'extended' } | { is: 'moved' };

/** An answer reads whole runs, so only a few are asked for at a time, and none for longer than this. */
const AT_ONCE = 4;
const ASK_MS = 10_000;

/**
 * What the engine says of overdue runs. A run it does not know, or cannot be asked about, is not in the answer. One that
 * cannot be asked about ends the asking: an engine that is away would hold the deadlines of all others up.
 */
export async function askOverdue(
  deps: AskOverdueDeps,
  runs: readonly { id: string; workflowId: string }[],
): Promise<Map<string, OverdueVerdict>> {
  const verdicts = new Map<string, OverdueVerdict>();
  if (runs.length === 0) return verdicts;
  const workflowOf = new Map(runs.map((run) => [run.id, run.workflowId]));
  const found = await readOverdueInEngine(deps.db, [...workflowOf.keys()]);
  for (const one of found) if (!one.due) verdicts.set(one.id, { is: 'moved' });
  const waiting = found.filter((one) => one.due);
  let isAway = false;
  const askNext = async (): Promise<void> => {
    for (let one = waiting.shift(); one && !isAway; one = waiting.shift()) {
      const run = one.providerFlowId === null ? null : await askOne(deps, { ...one, providerFlowId: one.providerFlowId });
      if (run === undefined) isAway = true;
      if (!run) continue;
      const verdict = readEngineRun(run, { executionId: one.id, workflowId: workflowOf.get(one.id) ?? '' });
      verdicts.set(one.id, verdict.is === 'running' && one.extended ? { is: 'extended' } : verdict);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return verdicts;
}

/** The engine's run, null when it shows none, undefined when it cannot be asked now. */
async function askOne(deps: AskOverdueDeps, one: OverdueInEngine & { providerFlowId: string }): Promise<EngineRun | null | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ASK_MS);
  const asked = deps.engine.findRun(one.providerFlowId, one.id, one.startedAt).catch((error: unknown) => {
    deps.log.warn({ err: error, executionId: one.id }, 'the engine could not be asked about an overdue run');
    return undefined;
  });
  const run = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return run === 'unseen' ? null : run;
}
