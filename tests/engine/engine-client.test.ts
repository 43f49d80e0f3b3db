import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { createEngineClient, type EngineClient, type EngineErrorKind, isEngineError } from '@house/service/adapters/engine-client.ts';
import { createEngineSend } from '@house/service/adapters/engine/engine-send.ts';
import { createInternalFetch } from '@house/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@house/service/platform/secret.ts';
import { recorded, type ReplayEngine, replayToken, startReplayEngine } from '../harness/replay-engine.ts';

/** Our client against what the real engine was recorded to answer: the ten traps of the engine's API, and what follows from them. */

const PROJECT = 'fUES4oFx5MEwhGmVNYO2H';
const FLOW = 'SjLg3ng5R1qd2nBStml9D';
const SIGN_IN = 'POST /api/v1/authentication/sign-in';
const PROJECTS = 'GET /api/v1/projects';
const UPSERT = 'POST /api/v1/app-connections';
const IMPORT = { displayName: 'Imported', schemaVersion: '20' as const };

const outbound = createInternalFetch(() => true);
let engine: ReplayEngine;
let client: EngineClient;
let now: Date;

before(async () => void (engine = await startReplayEngine()));
after(async () => {
  await engine.close();
  await outbound.close();
});
beforeEach(async () => {
  await engine.close();
  engine = await startReplayEngine();
  now = new Date();
  client = clientFor(engine.url);
});

function clientFor(url: string | null): EngineClient {
  return createEngineClient({
    baseUrl: () => url,
    account: { email: 'engine-admin@example.com', password: new Secret('a-good-password') },
    send: createEngineSend(outbound),
    clock: { now: () => now },
  });
}

const ofKind = (kind: EngineErrorKind) => (error: unknown) =>
  isEngineError(error, kind) || assert.fail(`expected ${kind}, got ${String(error)}`);

test('trap 1: the /api prefix is found by content, because without it a web page answers 200', async () => {
  engine.on(PROJECTS, recorded('projects-list'));
  assert.equal((await client.listProjects()).length, 1);
  assert.equal((await client.listProjects()).length, 1);
  assert.equal(engine.count('GET /api/v1/health'), 1, 'looked for once');
});

test('trap 1: an address that already ends in /api is honoured', async () => {
  engine.on(PROJECTS, recorded('projects-list'));
  assert.equal((await clientFor(`${engine.url}/api/`).listProjects()).length, 1);
});

test('trap 1: a server that answers only web pages is not taken for a healthy engine', async () => {
  engine.on('GET /api/v1/health', recorded('health-without-api-prefix'));
  const health = await client.health(1000);
  assert.equal(health.state, 'unreachable');
  assert.match(health.message ?? '', /not the workflow engine/);
});

test('trap 1: a sign-in answered by a web page is no session', async () => {
  engine.on(SIGN_IN, recorded('sign-in-without-api-prefix'));
  await assert.rejects(client.listProjects(), ofKind('protocol'));
});

test('trap 2: flows are imported with schemaVersion "20", which every tested engine rewrites by itself', async () => {
  engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-import-flow'));
  await client.importFlow(FLOW, { ...IMPORT, trigger: chain(returnedNames('flow-op-import-flow')) });
  const [sent] = engine.requests.filter((request) => request.path === `/api/v1/flows/${FLOW}`);
  assert.deepEqual(pick(sent?.body, 'type', 'request.schemaVersion'), ['IMPORT_FLOW', '20']);
});

test('trap 2: an engine of an untested version is refused in clear words, before anything is written', async () => {
  for (const [version, accepted] of [
    ['0.82.9', false],
    ['0.83.0', true],
    ['0.84.1', true],
    ['0.85.2', true],
    ['0.86.0', false],
    ['1.85.0', false],
  ] as const) {
    engine.on('GET /api/v1/flags', recorded('flags', { CURRENT_VERSION: version }));
    if (accepted) assert.equal((await client.about()).version, version);
    else await assert.rejects(client.about(), (error) => ofKind('untested_version')(error) && String(error).includes(version));
  }
  engine.on('GET /api/v1/flags', recorded('flags', { CURRENT_VERSION: '0.99.0' }));
  await assert.rejects(client.createFlow({ projectId: PROJECT, displayName: 'x', metadata: {} }), ofKind('untested_version'));
  assert.deepEqual([engine.count(SIGN_IN), engine.count('POST /api/v1/flows')], [0, 0]);
});

test('trap 3: a connection whose name would break references to it is never created', async () => {
  engine.on(UPSERT, recorded('connection-upsert-custom-auth'));
  const connection = { projectId: PROJECT, displayName: 'SQL', props: { reference: 'x' } };
  for (const externalId of ["p1'x", 'p1.x', 'p1:x', ''])
    await assert.rejects(client.upsertConnection({ ...connection, externalId }), ofKind('protocol'));
  assert.equal(engine.count(UPSERT), 0);
  assert.equal((await client.upsertConnection({ ...connection, externalId: 'p1_sql' })).externalId, 'p1_sql');
  const [sent] = engine.requests.filter((request) => request.path === '/api/v1/app-connections');
  assert.deepEqual(pick(sent?.body, 'type', 'value.type', 'value.props.reference', 'pieceName'), [
    'CUSTOM_AUTH',
    'CUSTOM_AUTH',
    'x',
    '@activepieces/piece-http',
  ]);
});

for (const [what, refused] of [
  ['401', 'auth-bad-signature'],
  ['403 SESSION_EXPIRED', 'auth-token-version-mismatch'],
] as const) {
  test(`trap 4: after ${what} the client signs in once and repeats the call once`, async () => {
    engine.on(PROJECTS, recorded(refused), recorded('projects-list'));
    assert.equal((await client.listProjects()).length, 1);
    assert.deepEqual([engine.count(SIGN_IN), engine.count(PROJECTS)], [2, 2]);
  });
}

test('trap 4: a token refused again and again ends in an error, never in a loop', async () => {
  engine.on(PROJECTS, recorded('auth-bad-signature'));
  await assert.rejects(client.listProjects(), ofKind('unauthorized'));
  assert.deepEqual([engine.count(SIGN_IN), engine.count(PROJECTS)], [2, 2]);
});

test('trap 4: 401 from an engine whose database is away is called what it is', async () => {
  engine.on('GET /api/v1/health', recorded('health-ok'), recorded('health-database-down'));
  engine.on(PROJECTS, recorded('projects-list-database-down'));
  await assert.rejects(client.listProjects(), ofKind('unhealthy'));
});

test('trap 4: 403 AUTHORIZATION is not cured by signing in, so it is not tried', async () => {
  engine.on(PROJECTS, recorded('auth-missing-token'));
  await assert.rejects(client.listProjects(), ofKind('unauthorized'));
  assert.deepEqual([engine.count(SIGN_IN), engine.count(PROJECTS)], [1, 1]);
});

test('trap 5: a flow the engine calls invalid is never published', async () => {
  const flow = recorded('flow-op-publish-invalid-flow').body;
  engine.on(`GET /api/v1/flows/${FLOW}`, { status: 200, body: flow });
  engine.on(`POST /api/v1/flows/${FLOW}`, { status: 200, body: flow });
  await assert.rejects(client.publish(FLOW), (error) => ofKind('refused')(error) && /invalid/.test(String(error)));
  assert.equal(engine.count(`POST /api/v1/flows/${FLOW}`), 0);
});

test('trap 5: a valid flow is published and on afterwards', async () => {
  engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-op-import-flow'));
  engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-publish-imported'));
  const flow = await client.publish(FLOW);
  assert.deepEqual([flow.status, flow.publishedVersionId === flow.version.id], ['ENABLED', true]);
});

test('trap 6: an edit that the engine silently dropped is noticed, although it answered 200', async () => {
  engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-add-action-bad-parent'));
  const sent = chain([...returnedNames('flow-op-add-action-bad-parent'), 'lost_step']);
  await assert.rejects(
    client.importFlow(FLOW, { ...IMPORT, trigger: sent }),
    (error) => ofKind('protocol')(error) && /lost_step/.test(String(error)),
  );
});

test('trap 7: edits of one flow take turns, edits of different flows do not wait for each other', async () => {
  const other = 'AAAAAAAAAAAAAAAAAAAAA';
  const gate = Promise.withResolvers<void>();
  engine.on(
    `POST /api/v1/flows/${FLOW}`,
    { ...recorded('flow-op-publish-imported'), until: gate.promise },
    recorded('flow-op-publish-imported'),
  );
  engine.on(`POST /api/v1/flows/${other}`, recorded('flow-op-publish-imported'));
  const first = client.changeStatus(FLOW, 'ENABLED');
  const second = client.changeStatus(FLOW, 'DISABLED');
  await client.changeStatus(other, 'ENABLED');
  assert.equal(engine.count(`POST /api/v1/flows/${FLOW}`), 1, 'the second waits');
  gate.resolve();
  await Promise.all([first, second]);
  assert.equal(engine.count(`POST /api/v1/flows/${FLOW}`), 2);
});

test('trap 8: upserts of one connection take turns, and a failed one does not block the next', async () => {
  let atOnce = 0;
  let most = 0;
  engine.on(UPSERT, async (_, n) => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
    return n === 1 ? { status: 500, body: { statusCode: 500 } } : recorded('connection-upsert-custom-auth');
  });
  const connection = { projectId: PROJECT, externalId: 'p1_sql', displayName: 'SQL', props: {} };
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => client.upsertConnection(connection)));
  assert.equal(most, 1);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('trap 9: an engine that never answers costs the budget, not for ever', async () => {
  const never = Promise.withResolvers<void>();
  engine.on('GET /api/v1/health', { status: 200, until: never.promise });
  const health = await client.health(50);
  assert.equal(health.state, 'unreachable');
  never.resolve();
});

test('trap 10: events go to the asynchronous address, never to /sync', async () => {
  engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded('webhook-async-accept'));
  assert.equal(await client.dispatch(FLOW, { executionId: 'e1' }), 'accepted');
  const sent = engine.requests.find((request) => request.path.includes('/webhooks/'));
  assert.deepEqual([sent?.path, sent?.token], [`/api/v1/webhooks/${FLOW}`, null]);
});

for (const [exchange, outcome] of [
  ['webhook-disabled-flow', 'not_found'],
  ['webhook-unknown-flow', 'refused'],
  ['webhook-bad-flow-id', 'refused'],
  ['webhook-payload-26mb', 'refused'],
  ['webhook-database-down', 'unreachable'],
  ['sign-in-rate-limited', 'unreachable'],
] as const) {
  test(`a dispatch answered as in ${exchange} is ${outcome}`, async () => {
    engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded(exchange));
    assert.equal(await client.dispatch(FLOW, {}), outcome);
  });
}

test('a dispatch that nobody took is told from one that may have arrived', async () => {
  assert.equal(await clientFor('http://127.0.0.1:1').dispatch(FLOW, {}), 'unreachable');
  engine.on(`POST /api/v1/webhooks/${FLOW}`, { status: 500, body: { statusCode: 500 } });
  assert.equal(await client.dispatch(FLOW, {}), 'ambiguous');
  // Takes the request and hangs up without an answer.
  const mute = createServer(
    (socket) =>
      void socket.once('data', (data) =>
        data.includes('health')
          ? socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"status":"Healthy"}')
          : socket.destroy(),
      ),
  );
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const address = mute.address();
  const url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
  assert.equal(await clientFor(url).dispatch(FLOW, {}), 'ambiguous');
  mute.close();
});

test('the session is shared, renewed ten minutes before its end, and its age is known', async () => {
  const expiresAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + 3_600_000);
  engine.on(SIGN_IN, recorded('sign-in-ok', { token: replayToken(expiresAt) }));
  engine.on(PROJECTS, recorded('projects-list'));
  assert.deepEqual(client.session(), { signedInAt: null, expiresAt: null });
  await Promise.all([client.listProjects(), client.listProjects(), client.listProjects()]);
  assert.equal(engine.count(SIGN_IN), 1);
  assert.deepEqual(client.session(), { signedInAt: now, expiresAt });
  now = new Date(expiresAt.getTime() - 601_000);
  await client.listProjects();
  assert.equal(engine.count(SIGN_IN), 1, 'more than ten minutes are left');
  now = new Date(expiresAt.getTime() - 599_000);
  await client.listProjects();
  assert.equal(engine.count(SIGN_IN), 2);
});

test('a wrong admin password is told as such', async () => {
  engine.on(SIGN_IN, recorded('sign-in-wrong-password'));
  await assert.rejects(client.listProjects(), (error) => ofKind('unauthorized')(error) && /INVALID_CREDENTIALS/.test(String(error)));
});

test('an engine that limits sign-ins is left alone for as long as it asked', async () => {
  engine.on(
    SIGN_IN,
    recorded('sign-in-rate-limited'),
    recorded('sign-in-ok', { token: replayToken(new Date(now.getTime() + 604_800_000)) }),
  );
  engine.on(PROJECTS, recorded('projects-list'));
  await assert.rejects(client.listProjects(), ofKind('refused'));
  await assert.rejects(client.listProjects(), ofKind('refused'));
  assert.equal(engine.count(SIGN_IN), 1);
  now = new Date(now.getTime() + 61_000);
  assert.equal((await client.listProjects()).length, 1);
});

test('an engine whose admin has no platform yet is told as such', async () => {
  engine.on(SIGN_IN, recorded('sign-in-ok-before-platform'));
  await assert.rejects(client.listProjects(), (error) => /first set-up/.test(String(error)));
});

test('lists are read to their last page', async () => {
  const rows = (name: string) => recorded(name).body as { data: unknown[]; next: string | null };
  engine.on('GET /api/v1/app-connections', ({ query }) =>
    recorded(
      query.get('cursor') === null ? 'connections-list-limit' : 'connections-list-cursor',
      query.get('cursor') === null ? {} : { next: null },
    ),
  );
  const found = await client.listConnections(PROJECT);
  assert.equal(found.length, rows('connections-list-limit').data.length + rows('connections-list-cursor').data.length);
  assert.deepEqual(
    engine.requests.filter((request) => request.path.endsWith('app-connections')).map((request) => request.query.get('cursor')),
    [null, rows('connections-list-limit').next],
  );
});

test('a project is found by its exact name among those that contain it', async () => {
  engine.on(PROJECTS, recorded('projects-list-two'));
  assert.equal((await client.findProject('Partner A'))?.displayName, 'Partner A');
  assert.equal(await client.findProject('Partner'), null);
});

test('an engine plan that holds no more projects is told apart from other refusals', async () => {
  engine.on('POST /api/v1/projects', recorded('project-create'), recorded('project-create-second-team'));
  assert.equal((await client.createProject({ displayName: 'Partner A' })).type, 'TEAM');
  await assert.rejects(client.createProject({ displayName: 'Partner B' }), ofKind('plan_limit'));
});

test('a flow that is gone or going is null, and deleting twice is no error', async () => {
  engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'), recorded('flow-get-deleting'), recorded('flow-get-unknown'));
  assert.equal((await client.getFlow(FLOW))?.id, FLOW);
  assert.equal(await client.getFlow(FLOW), null);
  assert.equal(await client.getFlow(FLOW), null);
  engine.on(`DELETE /api/v1/flows/${FLOW}`, recorded('flow-delete'), recorded('flow-delete-again'));
  assert.deepEqual([await client.deleteFlow(FLOW), await client.deleteFlow(FLOW)], [true, false]);
  engine.on('DELETE /api/v1/app-connections/c1', recorded('connection-delete'), recorded('connection-delete-again'));
  assert.deepEqual([await client.deleteConnection('c1'), await client.deleteConnection('c1')], [true, false]);
});

test('deleting a project twice is no error; the personal one is refused', async () => {
  engine.on(
    'DELETE /api/v1/projects/p1',
    recorded('project-delete-team'),
    recorded('project-delete-again'),
    recorded('project-delete-personal'),
  );
  assert.deepEqual([await client.deleteProject('p1'), await client.deleteProject('p1')], [true, false]);
  await assert.rejects(client.deleteProject('p1'), ofKind('refused'));
});

test('all flows that carry a tag are listed, through every page, those being deleted left out', async () => {
  const [row] = (recorded('flows-list-by-name').body as { data: object[] }).data;
  const flow = (id: string, workflowId: string, more: object = {}) => ({ ...row, id, metadata: { workflowId }, ...more });
  engine.on(
    'GET /api/v1/flows',
    { status: 200, body: { data: [flow('f1', 'w1'), flow('f2', 'w2')], next: 'more', previous: null } },
    { status: 200, body: { data: [flow('f3', 'w1'), flow('f4', 'w1', { operationStatus: 'DELETING' })], next: null, previous: null } },
  );
  const found = await client.listFlows(PROJECT, 'sync', (metadata) => metadata['workflowId'] === 'w1');
  assert.deepEqual(
    found.map((one) => one.id),
    ['f1', 'f3'],
  );
});

test('a flow is found again by its tag', async () => {
  const [row] = (recorded('flows-list-by-name').body as { data: object[] }).data;
  engine.on('GET /api/v1/flows', { status: 200, body: { data: [{ ...row, metadata: { workflowId: 'w1' } }], next: null, previous: null } });
  const byTag = (workflowId: string) => client.findFlow(PROJECT, 'sync', (metadata) => metadata['workflowId'] === workflowId);
  assert.notEqual(await byTag('w1'), null);
  assert.equal(await byTag('w2'), null);
});

test('a run is found by the executionId in its event', async () => {
  const [listed] = (recorded('flow-runs-list-one').body as { data: { id: string }[] }).data;
  const run = recorded('flow-run-get-succeeded').body as { steps: { trigger: { output: object } } };
  const withEvent = { ...run, steps: { ...run.steps, trigger: { ...run.steps.trigger, output: { body: { executionId: 'e1' } } } } };
  engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'));
  engine.on('GET /api/v1/flow-runs', recorded('flow-runs-list-one', { next: null }));
  engine.on(`GET /api/v1/flow-runs/${listed?.id ?? ''}`, { status: 200, body: withEvent });
  assert.equal((await client.findRun(FLOW, 'e1', now))?.steps?.['step_1']?.status, 'SUCCEEDED');
  assert.equal(await client.findRun(FLOW, 'e2', now), null);
  assert.equal(engine.count(`GET /api/v1/flows/${FLOW}`), 1, 'the project of a flow is asked once');
});

test('health tells healthy, unhealthy and unreachable apart and never throws', async () => {
  assert.equal((await client.health(1000)).state, 'healthy');
  engine.on('GET /api/v1/health', recorded('health-database-down'));
  assert.equal((await client.health(1000)).state, 'unhealthy');
  assert.equal((await clientFor('http://127.0.0.1:1').health(1000)).state, 'unreachable');
  assert.equal((await clientFor(null).health(1000)).state, 'unreachable');
});

test('neither password nor token nor a connection value stands in an error', async () => {
  engine.on(UPSERT, { status: 400, body: { code: 'INVALID_APP_CONNECTION', params: { error: 'no' } } });
  const secret = 'a-very-secret-key';
  const failed = await client
    .upsertConnection({ projectId: PROJECT, externalId: 'p1_x', displayName: 'x', props: { apiKey: secret } })
    .catch((error: Error) => error);
  assert.ok(isEngineError(failed, 'refused'));
  const text = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack });
  assert.ok(!text.includes(secret) && !text.includes('a-good-password') && !text.includes('Bearer'));
});

/** Names of the steps in a recorded flow, in order. */
function returnedNames(name: string): string[] {
  const names: string[] = [];
  const walk = (step: unknown): void => {
    if (typeof step !== 'object' || step === null || !('name' in step)) return;
    names.push(String(step.name));
    for (const child of 'children' in step && Array.isArray(step.children) ? step.children : []) walk(child);
    if ('firstLoopAction' in step) walk(step.firstLoopAction);
    if ('nextAction' in step) walk(step.nextAction);
  };
  const flow = recorded(name).body as { version: { trigger: unknown } };
  walk(flow.version.trigger);
  return names;
}

/** A chain of code steps with these names behind a trigger. */
function chain(names: string[]): Parameters<EngineClient['importFlow']>[1]['trigger'] {
  const [first = 'trigger', ...rest] = names;
  const base = { displayName: '', valid: true as const, lastUpdatedDate: '2026-01-01T00:00:00.000Z', settings: {} };
  const next = rest.length === 0 ? {} : { nextAction: chain(rest) };
  return { ...base, type: first === 'trigger' ? 'PIECE_TRIGGER' : 'CODE', name: first, ...next };
}

function pick(value: unknown, ...paths: string[]): unknown[] {
  return paths.map((path) =>
    path
      .split('.')
      .reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value),
  );
}
