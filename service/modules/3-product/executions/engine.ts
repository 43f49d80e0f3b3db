import type { DirectOutcome } from '@partner-portal/core/execution/direct.ts';
import type { DispatchOutcome } from '@partner-portal/core/execution/dispatch.ts';

/** The members of an engine run that this module reads. */
export type EngineRun = {
  status?: string | undefined;
  startTime?: string | null | undefined;
  failedStep?: { displayName?: string | undefined } | null | undefined;
  steps?:
    | Record<string, { status?: string | undefined; input?: unknown; output?: unknown; duration?: number | undefined }>
    | null
    | undefined;
};

/** How a flow answered; only `answered` has a body. */
export type DirectAnswer = { kind: 'answered'; body: unknown } | { kind: Exclude<DirectOutcome, 'answered'> };

/** The engine calls that executions need. Each has its own timeout. */
export type EngineDispatch = {
  /** Posts the event of an execution to the flow's webhook. Failures of engine or network are outcomes, never thrown. */
  dispatch(flowId: string, executionId: string, body: unknown, traceparent?: string): Promise<DispatchOutcome>;
  /** Posts an event and waits for the flow's own answer, for `timeoutMs` at most. Failures of engine or network are outcomes, never thrown. */
  callFlow(
    flowId: string,
    executionId: string,
    body: unknown,
    options: { timeoutMs: number; signal?: AbortSignal | undefined; traceparent?: string | undefined },
  ): Promise<DirectAnswer>;
  /**
   * Finds the engine's runs of executions of one flow, of which nothing was sent before `sentAt`. Null: there certainly is none. `unseen`: the
   * engine may have it or may still store it. Throws when the engine cannot be reached.
   */
  findRuns(flowId: string, wanted: readonly { executionId: string; sentAt: Date }[]): Promise<Map<string, EngineRun | null | 'unseen'>>;
  /** Lists runs of these flows that ended without success since a moment, the newest of them. Throws when the engine cannot be reached. */
  listStopped(flows: readonly { flowId: string; since: Date }[]): Promise<StoppedRun[]>;
  /** Reads such a run with the execution it was started for; null when it is gone, or no execution stands in it. */
  readStopped(runId: string): Promise<{ executionId: string; run: EngineRun } | null>;
};

/** A run in the engine. */
export type StoppedRun = { runId: string; flowId: string };

/** The run of one execution; see `findRuns`. */
export async function findRun(
  engine: EngineDispatch,
  flowId: string,
  executionId: string,
  sentAt: Date,
): Promise<EngineRun | null | 'unseen'> {
  const found = await engine.findRuns(flowId, [{ executionId, sentAt }]);
  const run = found.get(executionId);
  return run === undefined ? 'unseen' : run;
}
