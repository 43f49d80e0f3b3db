import type { DispatchAnswer } from '@house/core/execution.ts';

/** A run as the engine tells it; the members this module reads. */
export type EngineRun = {
  status?: string | undefined;
  startTime?: string | null | undefined;
  failedStep?: { displayName?: string | undefined } | null | undefined;
  steps?: Record<string, { input?: unknown; output?: unknown; duration?: number | undefined }> | null | undefined;
};

/** What runs need of the engine. Both calls have a timeout of their own. */
export type EngineDispatch = {
  /** Posts the event to the flow's webhook. Never throws for what the engine or the network does. */
  dispatch(flowId: string, body: unknown): Promise<DispatchAnswer>;
  /** The engine's run of this executionId; null when it has none. Throws when the engine cannot be asked. */
  findRun(flowId: string, executionId: string, since: Date): Promise<EngineRun | null>;
};
