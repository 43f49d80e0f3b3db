import type { DispatchOutcome } from '@partner-portal/core/execution/dispatch.ts';

/** A run as the engine tells it; the members this module reads. */
export type EngineRun = {
  status?: string | undefined;
  startTime?: string | null | undefined;
  failedStep?: { displayName?: string | undefined } | null | undefined;
  steps?:
    | Record<string, { status?: string | undefined; input?: unknown; output?: unknown; duration?: number | undefined }>
    | null
    | undefined;
};

/** What runs need of the engine. Both calls have a timeout of their own. */
export type EngineDispatch = {
  /** Posts the event to the flow's webhook. Never throws for what the engine or the network does. */
  dispatch(flowId: string, body: unknown): Promise<DispatchOutcome>;
  /**
   * The engine's run of this executionId; null when it surely has none, `unseen` when its flow has had more runs since then than are looked
   * through. Throws when the engine cannot be asked.
   */
  findRun(flowId: string, executionId: string, since: Date): Promise<EngineRun | null | 'unseen'>;
};
