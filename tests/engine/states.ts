import { callEngine, chain, codeStep, endedRun, httpStep, publishFlow, webhookTrigger } from './harness.ts';
import type { TestEngine } from './harness.ts';

/** The ids in a recorded request, which replace the placeholders `<flow>`, `<run>`, … */
export type Names = Record<string, string>;

const trigger = (): Record<string, unknown> => {
  const { lastUpdatedDate: _date, ...single } = webhookTrigger(undefined);
  return single;
};
const single = (step: Record<string, unknown>): Record<string, unknown> => {
  const { lastUpdatedDate: _date, ...rest } = step;
  return rest;
};
const router = (name: string): Record<string, unknown> => ({
  type: 'ROUTER',
  name,
  displayName: 'Router',
  valid: true,
  settings: {
    executionType: 'EXECUTE_FIRST_MATCH',
    branches: [
      {
        branchName: 'Big',
        branchType: 'CONDITION',
        conditions: [[{ operator: 'NUMBER_IS_GREATER_THAN', firstValue: "{{trigger['output'].body.n}}", secondValue: '10' }]],
      },
      { branchName: 'Otherwise', branchType: 'FALLBACK' },
    ],
  },
});

async function operate(on: TestEngine, flow: string, type: string, request: unknown): Promise<void> {
  const reply = await on.call('POST', `/api/v1/flows/${flow}`, { type, request });
  if (reply.status !== 200) throw new Error(`${type}: ${reply.status} ${JSON.stringify(reply.body)}`);
}

async function freshFlow(on: TestEngine): Promise<string> {
  const reply = await on.call('POST', '/api/v1/flows', { displayName: 'Missed call text back', projectId: on.projectId });
  return (reply.body as { id: string }).id;
}

async function withTrigger(on: TestEngine): Promise<string> {
  const flow = await freshFlow(on);
  await operate(on, flow, 'UPDATE_TRIGGER', trigger());
  return flow;
}

async function built(on: TestEngine): Promise<string> {
  const flow = await withTrigger(on);
  const steps = [
    httpStep('step_1', 'http://sink.test/ok'),
    httpStep('step_2', 'http://sink.test/ok'),
    codeStep('step_3', 'export const code = async () => 1;'),
    router('step_4'),
  ];
  for (const [index, step] of steps.entries()) {
    await operate(on, flow, 'ADD_ACTION', { parentStep: index === 0 ? 'trigger' : `step_${index}`, action: single(step) });
  }
  await operate(on, flow, 'ADD_ACTION', {
    parentStep: 'step_4',
    stepLocationRelativeToParent: 'INSIDE_BRANCH',
    branchIndex: 0,
    action: single(httpStep('step_5', 'http://sink.test/big')),
  });
  return flow;
}

async function looped(on: TestEngine): Promise<string> {
  const flow = await withTrigger(on);
  await operate(on, flow, 'ADD_ACTION', { parentStep: 'trigger', action: router('step_1') });
  const loop = {
    type: 'LOOP_ON_ITEMS',
    name: 'step_3',
    displayName: 'Loop',
    valid: true,
    settings: { items: "{{trigger['output'].body.items}}" },
  };
  await operate(on, flow, 'ADD_ACTION', { parentStep: 'step_1', stepLocationRelativeToParent: 'AFTER', action: loop });
  await operate(on, flow, 'ADD_ACTION', {
    parentStep: 'step_3',
    stepLocationRelativeToParent: 'AFTER',
    action: single(codeStep('step_6', 'export const code = async () => 1;')),
  });
  return flow;
}

function published(on: TestEngine): Promise<string> {
  return publishFlow(on, chain(codeStep('step_1', 'export const code = async (inputs) => inputs;')), { metadata: { partnerId: 'p1' } });
}

async function connection(on: TestEngine, externalId: string): Promise<string> {
  const reply = await on.call('POST', '/api/v1/app-connections', {
    externalId,
    displayName: `${externalId} name`,
    pieceName: '@activepieces/piece-http',
    projectId: on.projectId,
    type: 'SECRET_TEXT',
    value: { type: 'SECRET_TEXT', secret_text: 'sk-test-111' },
  });
  return (reply.body as { id: string }).id;
}

async function endedFlow(on: TestEngine, url: string): Promise<Names> {
  const flow = await publishFlow(on, chain(httpStep('step_1', url)));
  await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, { n: 7 });
  const run = await endedRun(on, flow);
  return { flow, run: run.id };
}

async function removed(on: TestEngine): Promise<Names> {
  const flow = await published(on);
  await on.call('DELETE', `/api/v1/flows/${flow}`);
  return { flow };
}

const responder = (): Record<string, unknown> => ({
  type: 'PIECE',
  name: 'answer',
  displayName: 'Answer',
  valid: true,
  lastUpdatedDate: '2026-11-21T00:00:00.000Z',
  settings: {
    pieceName: '@activepieces/piece-webhook',
    pieceVersion: '0.1.34',
    actionName: 'return_response',
    propertySettings: {},
    input: {
      responseType: 'json',
      respond: 'stop',
      fields: { status: 201, headers: { 'x-test-hdr': 'h' }, body: { twice: '{{double.twice}}' } },
    },
  },
});

/** The engine states in which the exchanges were recorded, each set up from scratch. */
export const STATES: Record<string, (on: TestEngine, sinkUrl: string) => Promise<Names>> = {
  none: async () => ({}),
  team: async (on) => {
    const reply = await on.call('POST', '/api/v1/projects', { displayName: 'Partner A', externalId: 'partner-a' });
    return { team: (reply.body as { id: string }).id };
  },
  'team-deleted': async (on) => {
    const reply = await on.call('POST', '/api/v1/projects', { displayName: 'Partner A', externalId: 'partner-a' });
    const team = (reply.body as { id: string }).id;
    await on.call('DELETE', `/api/v1/projects/${team}`);
    return { team };
  },
  connections: async (on) => {
    const id = await connection(on, 'p1_openai');
    for (const externalId of ['p1_twilio', 'p1_sql', 'p1_none', 'p1_more']) await connection(on, externalId);
    const page = await on.call('GET', `/api/v1/app-connections?projectId=${on.projectId}&limit=2`);
    return { connection: id, cursor: (page.body as { next: string }).next };
  },
  'connection-deleted': async (on) => {
    const id = await connection(on, 'p1_gone');
    await on.call('DELETE', `/api/v1/app-connections/${id}`);
    return { connection: id };
  },
  fresh: async (on) => ({ flow: await freshFlow(on) }),
  trigger: async (on) => ({ flow: await withTrigger(on) }),
  built: async (on) => ({ flow: await built(on) }),
  looped: async (on) => ({ flow: await looped(on) }),
  invalid: async (on) => {
    const flow = await withTrigger(on);
    await operate(on, flow, 'ADD_ACTION', { parentStep: 'trigger', action: single(httpStep('step_1', '', {})) });
    return { flow };
  },
  published: async (on) => {
    const flow = await published(on);
    const versions = await on.call('GET', `/api/v1/flows/${flow}/versions`);
    return { flow, version: (versions.body as { data: { id: string }[] }).data[0]?.id ?? '' };
  },
  disabled: async (on) => {
    const flow = await published(on);
    await operate(on, flow, 'CHANGE_STATUS', { status: 'DISABLED' });
    return { flow };
  },
  deleted: removed,
  responding: async (on) => ({
    flow: await publishFlow(
      on,
      chain(
        codeStep('double', 'export const code = async (inputs) => ({ twice: inputs.v * 2 });', { v: '{{trigger.body.v}}' }),
        responder(),
      ),
    ),
  }),
  'header-auth': async (on) => ({
    flow: await publishFlow(on, undefined, {
      trigger: webhookTrigger(undefined, { authType: 'header', authFields: { headerName: 'x-token', headerValue: 's3cret' } }),
    }),
  }),
  'run-failed': (on, sinkUrl) => endedFlow(on, `${sinkUrl}/x?status=500`),
  'run-ok': (on, sinkUrl) => endedFlow(on, `${sinkUrl}/ok`),
};
