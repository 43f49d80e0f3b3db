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

/** The engine calls that executions need. Both have their own timeout. */
export type EngineDispatch = {
  /** Posts the event to the flow's webhook. Failures of engine or network are outcomes, never thrown. */
  dispatch(flowId: string, body: unknown): Promise<DispatchOutcome>;
  /**
   * Finds the engine's run of an execution; null when there certainly is none, `unseen` when its flow has had more runs since then than are
   * searched. Throws when the engine cannot be reached.
   */
  findRun(flowId: string, executionId: string, since: Date): Promise<EngineRun | null | 'unseen'>;
};
