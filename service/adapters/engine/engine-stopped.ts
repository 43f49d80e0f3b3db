import type { RunReply } from '@partner-portal/engine/protocol.ts';
import { isEngineError } from './engine-error.ts';
import { CLOCK_SKEW_MS, executionOf, listRuns, readRun } from './engine-lookup.ts';
import type { EngineSession } from './engine-session.ts';

/** Runs that ended without success. Both engines list them by status, in one call for many flows. */

export type StoppedRun = { runId: string; flowId: string };

/** How a run ends whose flow got no chance to report. */
const STOPPED = [
  'FAILED',
  'INTERNAL_ERROR',
  'QUOTA_EXCEEDED',
  'TIMEOUT',
  'MEMORY_LIMIT_EXCEEDED',
  'LOG_SIZE_EXCEEDED',
  'CANCELED',
] as const;
const PAGES_MAX = 3;
/** Flow ids in one query: about 30 bytes each. */
const FLOWS_PER_LIST = 32;

/** Lists the newest such runs of flows since a moment. What the engine refuses to show, such as a flow that is gone, has none. */
export async function listStopped(
  session: EngineSession,
  wanted: readonly { flowId: string; since: Date }[],
  findProject: (flowId: string) => Promise<string | null>,
): Promise<StoppedRun[]> {
  const placed: { flowId: string; since: Date; projectId: string | null }[] = [];
  for (const one of wanted) placed.push({ ...one, projectId: await orWhenRefused(findProject(one.flowId), null) });
  const stopped: StoppedRun[] = [];
  for (const [projectId, flows] of Map.groupBy(placed, (one) => one.projectId)) {
    for (let at = 0; projectId !== null && at < flows.length; at += FLOWS_PER_LIST) {
      const some = flows.slice(at, at + FLOWS_PER_LIST);
      const since = new Date(Math.min(...some.map((one) => one.since.getTime())) - CLOCK_SKEW_MS);
      const filters: [string, string][] = [
        ['projectId', projectId],
        ...some.map(({ flowId }): [string, string] => ['flowId', flowId]),
        ...STOPPED.map((status): [string, string] => ['status', status]),
        ['createdAfter', since.toISOString()],
      ];
      const { runs } = await orWhenRefused(listRuns(session, filters, PAGES_MAX), { runs: [] });
      stopped.push(...runs.flatMap(({ id, flowId }) => (flowId ? [{ runId: id, flowId }] : [])));
    }
  }
  return stopped;
}

/** Reads such a run with the execution in its event; null when the engine no longer has it, or no event stands in it. */
export async function readStoppedRun(session: EngineSession, runId: string): Promise<{ executionId: string; run: RunReply } | null> {
  const run = await orWhenRefused(readRun(session, runId), null);
  const executionId = run && executionOf(run);
  return run && executionId !== null ? { executionId, run } : null;
}

/** One flow or project that the engine refuses must not hide all others. Other failures are of the engine as a whole. */
function orWhenRefused<T, Fallback>(call: Promise<T>, fallback: Fallback): Promise<T | Fallback> {
  return call.catch((error: unknown) => {
    if (isEngineError(error, 'refused') || isEngineError(error, 'not_found')) return fallback;
    throw error;
  });
}
