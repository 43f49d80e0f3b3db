import { createBatcher } from './batcher.ts';
import { EngineError } from './errors.ts';
import { newTimedId, timedIdOfKey } from './ids.ts';
import type { FlowRow } from './store/flow-rows.ts';
import type { FlowStore } from './store/flows.ts';
import type { RunLog, RunRow } from './store/run-log.ts';
import type { Environment, NewRun, RunStore } from './store/runs.ts';
import type { Worker } from './worker.ts';

export type StartOptions = {
  /** A UUID version 7: the same key stores one run, however often it arrives. */
  key?: string | undefined;
  /** Called with the run's id before its first step can run. */
  beforeStart?: (runId: string) => void;
};
export type Target = { flowId: string; projectId: string; versionId: string; fairnessKey: string };

/** Returns the fairness key of a flow's runs: its partner when the flow names one, else the flow. */
export function fairnessKeyOf(flow: Pick<FlowRow, 'id' | 'metadata'>): string {
  const partner = flow.metadata?.['partnerId'];
  return typeof partner === 'string' && partner !== '' ? partner : flow.id;
}

export type Intake = ReturnType<typeof createIntake>;

const BATCH_BYTES = 4 * 1024 * 1024;

/** Accepts runs: each is stored, in one commit with those that arrived at the same time, before it is acknowledged. */
export function createIntake(deps: { runs: RunStore; flows: FlowStore; runLog: RunLog; worker: Worker; now: () => number }) {
  const batcher = createBatcher<NewRun, boolean>({
    itemsMax: 500,
    inFlightMax: 2,
    weigh: ({ input }) => input.length,
    weightMax: BATCH_BYTES,
    write: (items) => deps.runs.insertRuns(items),
    isFatal: (error) => !(error instanceof Error && 'severity' in error),
  });
  /** The process that stored the run may have died, or lost its connection, before it took the run up. */
  const takeUp = async (id: string): Promise<void> => {
    const stored = await deps.runs.findTicket(id);
    if (stored === undefined || stored === 'ended') deps.worker.endReply(id);
    else deps.worker.accept(stored, undefined, false);
  };
  /** Takes the event as `storeInput` writes it. Resolves with the run's id once the run is committed. */
  const start = async (
    target: Target,
    environment: Environment,
    input: string,
    { key, beforeStart }: StartOptions = {},
  ): Promise<string> => {
    const at = new Date(deps.now());
    const { flowId, projectId, versionId: flowVersionId, fairnessKey } = target;
    const id = key === undefined ? newTimedId(at.getTime()) : timedIdOfKey(key);
    const isNew = await batcher.add({ id, projectId, flowId, flowVersionId, environment, fairnessKey, input, at });
    beforeStart?.(id);
    if (isNew) deps.worker.accept({ id, projectId, flowId, flowVersionId, fairnessKey, bytes: input.length }, input, true);
    else await takeUp(id);
    return id;
  };
  return {
    start,
    /** Whether a run of this idempotency key is stored. */
    knows: async (key: string): Promise<boolean> => (await deps.runs.findTicket(timedIdOfKey(key))) !== undefined,
    /** The same run again, from its failed step. */
    reopen: async (runId: string): Promise<void> => {
      deps.worker.accept(await deps.runLog.reopen(runId), undefined, false);
    },
    /** A new run with the same trigger output on the newest version. Throws 404 when the flow is gone. */
    startAgain: async (run: RunRow): Promise<string> => {
      const flow = await deps.flows.readFlow(run.flow_id);
      const version = await deps.flows.readLatest(flow.id);
      if (version.trigger.type === 'EMPTY') throw new EngineError('VALIDATION', { message: 'The newest version has no trigger' });
      const target = { flowId: flow.id, projectId: flow.project_id, versionId: version.id, fairnessKey: fairnessKeyOf(flow) };
      return start(target, run.environment === 'TESTING' ? 'TESTING' : 'PRODUCTION', run.input);
    },
    idle: () => batcher.idle(),
  };
}
