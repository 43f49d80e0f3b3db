import type { ImportFlow } from '@partner-portal/core/template/template.ts';
import { type FlowReply, flowReplySchema, pageReplySchema } from '@partner-portal/engine/protocol.ts';
import { z } from 'zod';
import { EngineError, isEngineError } from './engine-error.ts';
import { type EngineSession, discardReply } from './engine-session.ts';
import { byWorker, WORKER_TIMEOUT_MS } from './engine-worker.ts';
import type { KeyedLimiter } from '#platform/keyed-limiter.ts';

export type EngineFlow = FlowReply;
export type FlowMetadata = { readonly [key: string]: unknown };

export type EngineFlows = {
  /** A new, empty flow. `metadata` is the tag by which it is found again. */
  createFlow(flow: { projectId: string; displayName: string; metadata: FlowMetadata }): Promise<EngineFlow>;
  /** Every flow whose name contains `name` and whose metadata `matches`. Those that are being deleted are left out. */
  listFlows(projectId: string, name: string, matches: (metadata: FlowMetadata) => boolean): Promise<EngineFlow[]>;
  /** The newest version (a draft when there is one); null when the flow does not exist (any more). */
  getFlow(flowId: string): Promise<EngineFlow | null>;
  /** Replaces everything in the draft. Throws `protocol` when the engine stored other steps. */
  importFlow(flowId: string, flow: ImportFlow): Promise<EngineFlow>;
  setMetadata(flowId: string, metadata: FlowMetadata): Promise<EngineFlow>;
  /** Publishes the newest version and switches the flow on. Throws `refused` when the engine calls it invalid. */
  publish(flowId: string): Promise<EngineFlow>;
  changeStatus(flowId: string, status: 'ENABLED' | 'DISABLED'): Promise<EngineFlow>;
  /** Returns false when it did not exist. */
  deleteFlow(flowId: string): Promise<boolean>;
};

const READ_TIMEOUT_MS = 15_000;
const WRITE_TIMEOUT_MS = 30_000;
const PAGE_ROWS = 25;
const PAGES_MAX = 40;

const flowsPage = pageReplySchema(flowReplySchema);

/** Flows of the engine. Edits of one flow run one at a time, because the engine loses concurrent ones (engine API, §0.7). */
export function createEngineFlows(session: EngineSession, oneAtATime: KeyedLimiter): EngineFlows {
  const get = async (flowId: string): Promise<EngineFlow | null> => {
    try {
      const flow = await session.call({ method: 'GET', path: `/flows/${flowId}`, timeoutMs: READ_TIMEOUT_MS }, flowReplySchema);
      return flow.operationStatus === 'DELETING' ? null : flow;
    } catch (error) {
      if (isEngineError(error, 'not_found')) return null;
      throw error;
    }
  };
  const operate = (flowId: string, type: string, request: unknown, timeoutMs = WRITE_TIMEOUT_MS): Promise<EngineFlow> =>
    session.call({ method: 'POST', path: `/flows/${flowId}`, body: { type, request }, timeoutMs }, flowReplySchema);

  return {
    createFlow: (flow) => session.call({ method: 'POST', path: '/flows', body: flow, timeoutMs: WRITE_TIMEOUT_MS }, flowReplySchema),
    async listFlows(projectId, name, matches) {
      const found: EngineFlow[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX; page++) {
        const query = new URLSearchParams({ projectId, name, limit: String(PAGE_ROWS), ...(cursor === null ? {} : { cursor }) });
        const answer: z.output<typeof flowsPage> = await session.call(
          { method: 'GET', path: `/flows?${query}`, timeoutMs: READ_TIMEOUT_MS },
          flowsPage,
        );
        found.push(...answer.data.filter((flow) => flow.operationStatus !== 'DELETING' && matches(flow.metadata ?? {})));
        cursor = answer.next;
        if (cursor === null) break;
      }
      return found;
    },
    getFlow: get,
    importFlow: (flowId, flow) =>
      oneAtATime(`flow:${flowId}`, async () => {
        const changed = await operate(flowId, 'IMPORT_FLOW', flow);
        refuseSilentLoss(flow, changed);
        return changed;
      }),
    setMetadata: (flowId, metadata) => oneAtATime(`flow:${flowId}`, () => operate(flowId, 'UPDATE_METADATA', { metadata })),
    publish: (flowId) =>
      oneAtATime(`flow:${flowId}`, async () => {
        const draft = await get(flowId);
        if (draft === null) throw new EngineError('not_found', `The flow ${flowId} is not in the engine.`);
        // The engine publishes an invalid or empty flow without an error (engine API, §0.5).
        if (!draft.version.valid) {
          throw new EngineError(
            'refused',
            `The engine calls the flow ${flowId} invalid (${invalidSteps(draft).join(', ')}), so it is not published.`,
          );
        }
        const flow = await byWorker(WORKER_TIMEOUT_MS, () => operate(flowId, 'LOCK_AND_PUBLISH', { status: 'ENABLED' }, WORKER_TIMEOUT_MS));
        if (flow.status === 'ENABLED' && flow.publishedVersionId === flow.version.id) return flow;
        throw new EngineError('protocol', `The flow ${flowId} was published, but the engine shows it ${flow.status} at another version.`);
      }),
    changeStatus: (flowId, status) =>
      oneAtATime(`flow:${flowId}`, () =>
        byWorker(WORKER_TIMEOUT_MS, () => operate(flowId, 'CHANGE_STATUS', { status }, WORKER_TIMEOUT_MS)),
      ),
    deleteFlow: (flowId) =>
      oneAtATime(`flow:${flowId}`, async () => {
        try {
          await discardReply(session, { method: 'DELETE', path: `/flows/${flowId}`, timeoutMs: WRITE_TIMEOUT_MS });
          return true;
        } catch (error) {
          if (isEngineError(error, 'not_found')) return false;
          throw error;
        }
      }),
  };
}

/** Some edits are dropped with a 200 (engine API, §0.6): the stored steps must be those that were sent. */
function refuseSilentLoss(sent: ImportFlow, changed: EngineFlow): void {
  const wanted = listSteps(sent.trigger).map((step) => step.name);
  const found = listSteps(changed.version.trigger).map((step) => step.name);
  if (found.length > 0 && wanted.join() === found.join()) return;
  throw new EngineError(
    'protocol',
    `The engine stored different steps than were sent: ${found.join(', ')} in place of ${wanted.join(', ')}.`,
  );
}

const stepShape = z.object({
  name: z.string(),
  valid: z.boolean(),
  children: z.array(z.unknown()).optional(),
  firstLoopAction: z.unknown().optional(),
  nextAction: z.unknown().optional(),
});

/** Returns the steps of a tree in order. */
function listSteps(tree: unknown): { name: string; valid: boolean }[] {
  const step = stepShape.safeParse(tree);
  if (!step.success) return [];
  const { name, valid, children = [], firstLoopAction, nextAction } = step.data;
  return [{ name, valid }, ...[...children, firstLoopAction, nextAction].flatMap(listSteps)];
}

function invalidSteps(flow: EngineFlow): string[] {
  return listSteps(flow.version.trigger).flatMap((step) => (step.valid ? [] : [step.name]));
}
