import type { WindowLimits } from '@partner-portal/core/execution/window.ts';
import type { EngineDispatch, EngineRun } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { agents } from '@partner-portal/service/modules/3-product/agents/index.ts';
import { catalog } from '@partner-portal/service/modules/3-product/catalog/index.ts';
import { type Executions, executions } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { type Workflows, workflows } from '@partner-portal/service/modules/3-product/workflows/index.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import type pg from 'pg';
import assert from 'node:assert/strict';
import { dueAtOnce } from './due-at-once.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import { addPartner, addWorkflow, type NewWorkflow } from './world.ts';

/** The service with its execution modules, and the engine replaced at its adapter. */
export type ExecutionService = TestService & {
  executions: Executions;
  workflows: Workflows;
  engine: RecordingEngine;
  /** An installed agent of the first client, unless given. */
  addAgent(options?: Partial<NewWorkflow>): Promise<string>;
  /** An installed agent of an agency of its own, which has no other. */
  addAgencyAgent(options?: Partial<NewWorkflow> & { credits?: number }): Promise<string>;
  /** Posts an event that is accepted; returns its run. */
  accept(workflowId: string, event?: object): Promise<string>;
  /** Posts an event to an ingest URL; the right token unless one is given. */
  ingest(
    workflowId: string,
    body: unknown,
    options?: { token?: string; headers?: Record<string, string>; rawBody?: string },
  ): Promise<Awaited<ReturnType<TestService['call']>>>;
  /** Reports an execution as its flow would, with the token the dispatch carried. */
  report(executionId: string, report: Record<string, unknown>): Promise<Awaited<ReturnType<TestService['call']>>>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
};

export type RecordedDispatch = {
  flowId: string;
  body: {
    executionId: string;
    workflowId: string;
    callbackToken: string;
    input: Record<string, unknown>;
    config: Record<string, unknown>;
    facts: Record<string, unknown>;
    client: Record<string, unknown>;
  };
};
export type RecordingEngine = EngineDispatch & {
  calls: RecordedDispatch[];
  answer: (flowId: string) => Awaited<ReturnType<EngineDispatch['dispatch']>>;
  /** How a flow answers a direct call. */
  direct: (flowId: string, body: Record<string, unknown>, signal: AbortSignal | undefined) => ReturnType<EngineDispatch['callFlow']>;
  /** Direct calls, as they were made. */
  directCalls: { flowId: string; executionId: string; body: Record<string, unknown> }[];
  find: (flowId: string, executionId: string, sentAt: Date) => Promise<EngineRun | null | 'unseen'>;
  /** Runs that ended without success, by their id, and those that were read. */
  stopped: Map<string, { flowId: string; executionId: string; run: EngineRun }>;
  read: string[];
  /** Flows that the service deleted, and what may stop it. */
  flows: Parameters<typeof agents>[0]['engine'] & { deleted: string[]; away: boolean };
};

/** The vault of these tests holds no key of the scheduling service. */
const NO_KEYS: Pick<Parameters<typeof workflows>[0], 'readBookings' | 'useCredential'> = {
  readBookings: async () => ({ ok: true, bookings: [], isWhole: true }),
  useCredential: async () => undefined,
};

/** Tests that are not about capacity hand over more runs than ever end. */
export const UNBOUNDED: WindowLimits = { start: 100_000, min: 100_000, max: 100_000 };

/** An event the missed-call agent takes. */
export const CALL = { callerNumber: '+13125550121', businessNumber: '+13125550100' };

export async function startExecutionService(
  options: Omit<TestServiceOptions, 'modules'> & {
    failedRunsFree?: number;
    firstContactsPerHour?: number;
    directWaitMs?: number;
    waitMinutesMax?: number;
    windowLimits?: WindowLimits;
  } = {},
): Promise<ExecutionService> {
  const engine = recordingEngine();
  const built: { executions?: Executions; workflows?: Workflows; notices?: Notices } = {};
  const service = await startTestService({
    ...options,
    modules: (platform) => {
      const catalogModule = catalog({ db: platform.db, platformProviders: [] });
      const notices = openNotices(platform.database.configFor('portal_service'), platform.log);
      const runs = executions({
        ...platform,
        engine,
        notices,
        templateOf: catalogModule.templateOf,
        publicBaseUrl: platform.baseUrl,
        timeoutMinutesDefault: 30,
        waitMinutesMax: options.waitMinutesMax ?? 60,
        windowLimits: options.windowLimits ?? UNBOUNDED,
        isSoleProcess: false,
        failedRunsFree: options.failedRunsFree ?? 100,
        firstContactsPerHour: options.firstContactsPerHour ?? 10_000,
        ...(options.directWaitMs === undefined ? {} : { directWaitMs: options.directWaitMs }),
      });
      const technical = workflows({
        ...platform,
        templateOf: catalogModule.templateOf,
        accept: runs.accept,
        publicBaseUrl: platform.baseUrl,
        ...NO_KEYS,
      });
      built.executions = runs;
      built.workflows = technical;
      built.notices = notices;
      const removal = { engine: engine.flows, unbindUnneeded: async () => true, failQueued: runs.failQueued };
      return [catalogModule, runs, technical, agents({ ...platform, ...catalogModule, ...removal, platformProviders: [] })];
    },
  });
  const { executions: runs, workflows: technical, notices } = built;
  if (!runs || !technical || !notices) throw new Error('The run modules were not built.');
  const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    service.database.query<Row>(text, values);
  const { dispatcher } = runs;
  const runOnce = async (): Promise<number> => {
    await dueAtOnce(service.database.query, 'dispatch');
    return dispatcher.runOnce();
  };
  let agencies = 0;
  const ingest: ExecutionService['ingest'] = (workflowId, body, { token, headers, rawBody } = {}) => {
    const proof = token ?? ingestToken(service.callbackSecret.reveal(), workflowId);
    return service.call('POST', `/webhooks/agents/${workflowId}?token=${proof}`, {
      ...(rawBody === undefined ? { body } : { rawBody }),
      ...(headers ? { headers } : {}),
    });
  };
  return {
    ...service,
    executions: { ...runs, dispatcher: { ...dispatcher, runOnce } },
    workflows: technical,
    engine,
    query,
    addAgent: (agent = {}) =>
      service.db.asSystem('seed', (tx) =>
        addWorkflow(tx, {
          partnerId: service.world.partnerId,
          clientId: service.world.clientId,
          templateName: 'missed-call-text-back',
          ...agent,
        }),
      ),
    addAgencyAgent: ({ credits, ...agent } = {}) =>
      service.db.asSystem('seed', async (tx) => {
        const slug = `agency-${(agencies += 1)}`;
        const partnerId = await addPartner(tx, { name: slug, slug, planId: service.world.planId, ...(credits && { credits }) });
        return addWorkflow(tx, { partnerId, clientId: null, templateName: 'missed-call-text-back', ...agent });
      }),
    ingest,
    async accept(workflowId, event = CALL) {
      const { status, body } = await ingest(workflowId, event);
      assert.equal(status, 202, JSON.stringify(body));
      return body.executionId;
    },
    async report(executionId, report) {
      const sent = engine.calls.find((call) => call.body.executionId === executionId);
      if (!sent) throw new Error(`The engine was never given the run ${executionId}.`);
      const { workflowId, callbackToken } = sent.body;
      return service.call('POST', '/executions/webhook', {
        body: { executionId, workflowId, ...report },
        headers: { 'x-callback-token': callbackToken },
      });
    },
    async close() {
      await runs.stop();
      await notices.close();
      await service.close();
    },
  };
}

/** The engine at its adapter: records what it was given and answers what the test says. */
function recordingEngine(): RecordingEngine {
  const calls: RecordedDispatch[] = [];
  const engine: RecordingEngine = {
    calls,
    answer: () => 'accepted',
    direct: async () => ({ kind: 'unreachable' }),
    directCalls: [],
    find: async () => null,
    flows: {
      deleted: [],
      away: false,
      listFlows: async () => [],
      getFlow: async (flowId) => {
        if (engine.flows.away) throw new Error('The engine is away.');
        engine.flows.deleted.push(flowId);
        return null;
      },
      deleteFlow: async () => true,
    },
    async dispatch(flowId, _executionId, body) {
      calls.push({ flowId, body: body as RecordedDispatch['body'] }); // the payload this service makes
      return engine.answer(flowId);
    },
    async callFlow(flowId, executionId, body, { signal }) {
      const event = body as Record<string, unknown>; // the payload this service makes
      engine.directCalls.push({ flowId, executionId, body: event });
      return engine.direct(flowId, event, signal);
    },
    stopped: new Map(),
    async listStopped(flows) {
      const wanted = new Set(flows.map((one) => one.flowId));
      return [...engine.stopped].filter(([, one]) => wanted.has(one.flowId)).map(([runId, { flowId }]) => ({ runId, flowId }));
    },
    async readStopped(runId) {
      engine.read.push(runId);
      return engine.stopped.get(runId) ?? null;
    },
    read: [],
    async findRuns(flowId, wanted) {
      const found = wanted.map(async (one) => [one.executionId, await engine.find(flowId, one.executionId, one.sentAt)] as const);
      return new Map(await Promise.all(found));
    },
  };
  return engine;
}
