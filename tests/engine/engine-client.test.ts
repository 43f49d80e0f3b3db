import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { isEngineError } from '@partner-portal/service/adapters/engine-client.ts';
import { measureEngine } from '@partner-portal/service/adapters/engine/measure-engine.ts';
import { recordWith } from '@partner-portal/service/platform/measure.ts';
import { recorded, replayToken } from '../harness/replay-engine.ts';
import { clientFor, EXECUTION, FLOW, ofKind, PROJECT, PROJECTS, SIGN_IN, stage, UPSERT, useClientStage } from './client-stage.ts';

useClientStage();

/** Our client against what the real engine was recorded to answer; the ten traps are in traps.test.ts. */

for (const [exchange, outcome] of [
  ['webhook-disabled-flow', 'not_found'],
  ['webhook-unknown-flow', 'gone'],
  ['webhook-bad-flow-id', 'refused'],
  ['webhook-payload-26mb', 'refused'],
  ['webhook-database-down', 'unreachable'],
  ['sign-in-rate-limited', 'unreachable'],
] as const) {
  test(`a dispatch answered as in ${exchange} is ${outcome}`, async () => {
    stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded(exchange));
    assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), outcome);
  });
}

for (const [status, type, body, outcome] of [
  // A proxy answers so while the engine restarts.
  [404, 'text/plain', '404 page not found', 'unreachable'],
  [404, 'text/plain', '', 'unreachable'],
  [410, 'text/plain', 'gone', 'unreachable'],
  [404, 'application/json', '{"message":"no Route matched with those values"}', 'unreachable'],
  [404, 'text/html', '<html>404</html>', 'unreachable'],
  [200, 'text/html', '<html>Welcome</html>', 'unreachable'],
  [503, 'text/html', '<html>no server is available</html>', 'unreachable'],
  // A proxy answers so also after the engine has taken the event.
  [500, 'text/html', '<html>500</html>', 'ambiguous'],
  [502, 'text/html', '<html>502 Bad Gateway</html>', 'ambiguous'],
  [504, 'text/html', '<html>504 Gateway Time-out</html>', 'ambiguous'],
  [524, 'text/html', '<html>A timeout occurred</html>', 'ambiguous'],
  // The engine’s own.
  [404, 'application/json', '{}', 'not_found'],
  [410, 'application/json', '{}', 'gone'],
] as const) {
  test(`an event answered ${status} ${type} ${body.slice(0, 24)} is ${outcome}, sent or called`, async () => {
    const answer = { status, headers: { 'content-type': type }, body };
    stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, answer);
    stage.engine.on(`POST /api/v1/webhooks/${FLOW}/sync`, answer);
    assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), outcome);
    assert.deepEqual(await stage.client.callFlow(FLOW, EXECUTION, {}, { timeoutMs: 60_000 }), { kind: outcome });
  });
}

test('a proxy’s 404 does not mean that the engine has no such thing', async () => {
  const answer = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
  for (const route of [
    `GET /api/v1/flows/${FLOW}`,
    `DELETE /api/v1/flows/${FLOW}`,
    'GET /api/v1/flows',
    'GET /api/v1/app-connections',
    'DELETE /api/v1/app-connections/c1',
    `GET /api/v1/projects/${PROJECT}`,
    `DELETE /api/v1/projects/${PROJECT}`,
  ])
    stage.engine.on(route, answer);
  const { client } = stage;
  for (const call of [
    () => client.getFlow(FLOW),
    () => client.deleteFlow(FLOW),
    () => client.listFlows(PROJECT, FLOW, () => true),
    () => client.listConnections(PROJECT),
    () => client.deleteConnection('c1'),
    () => client.hasProject(PROJECT),
    () => client.deleteProject(PROJECT),
  ])
    await assert.rejects(call, ofKind('protocol'));
});

test('a dispatch that did not arrive is distinguished from one that may have', async () => {
  assert.equal(await clientFor('http://127.0.0.1:1').dispatch(FLOW, EXECUTION, {}), 'unreachable');
  stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, { status: 500, body: { statusCode: 500 } });
  assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), 'ambiguous');
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
  assert.equal(await clientFor(url).dispatch(FLOW, EXECUTION, {}), 'ambiguous');
  mute.close();
});

test('each operation is measured once by how it ended, with what it answers or throws', async () => {
  const measured: string[] = [];
  recordWith({
    count: () => undefined,
    observe: (name, { operation, outcome }, seconds) =>
      measured.push(`${name === 'portal_engine_call_duration_seconds' && seconds >= 0} ${operation} ${outcome}`),
  });
  try {
    const client = measureEngine(stage.client);
    assert.deepEqual(client.session(), stage.client.session());
    stage.engine.on(SIGN_IN, recorded('sign-in-ok', { token: replayToken(new Date(stage.now.getTime() + 3_600_000)) }));
    stage.engine.on(PROJECTS, recorded('projects-list'));
    assert.deepEqual(await client.listProjects(), await stage.client.listProjects());
    stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded('webhook-disabled-flow'));
    assert.equal(await client.dispatch(FLOW, EXECUTION, {}), 'not_found');
    const away = measureEngine(clientFor('http://127.0.0.1:1'));
    assert.equal((await away.health(60_000)).state, 'unreachable');
    await assert.rejects(away.listProjects(), ofKind('unreachable'));
    assert.deepEqual(measured, [
      'true listProjects ok',
      'true dispatch not_found',
      'true health unreachable',
      'true listProjects unreachable',
    ]);
  } finally {
    recordWith(null);
  }
});

test('the session is shared, renewed ten minutes before its end, and its age is known', async () => {
  const expiresAt = new Date(Math.floor(stage.now.getTime() / 1000) * 1000 + 3_600_000);
  stage.engine.on(SIGN_IN, recorded('sign-in-ok', { token: replayToken(expiresAt) }));
  stage.engine.on(PROJECTS, recorded('projects-list'));
  assert.deepEqual(stage.client.session(), { signedInAt: null, expiresAt: null });
  await Promise.all([stage.client.listProjects(), stage.client.listProjects(), stage.client.listProjects()]);
  assert.equal(stage.engine.count(SIGN_IN), 1);
  assert.deepEqual(stage.client.session(), { signedInAt: stage.now, expiresAt });
  stage.now = new Date(expiresAt.getTime() - 601_000);
  await stage.client.listProjects();
  assert.equal(stage.engine.count(SIGN_IN), 1, 'more than ten minutes are left');
  stage.now = new Date(expiresAt.getTime() - 599_000);
  await stage.client.listProjects();
  assert.equal(stage.engine.count(SIGN_IN), 2);
});

test('a response needs only the members that the client reads', async () => {
  stage.engine.on('GET /api/v1/flags', { status: 200, body: { CURRENT_VERSION: '0.84.1' } });
  stage.engine.on(SIGN_IN, { status: 200, body: { token: replayToken(new Date(stage.now.getTime() + 3_600_000)) } });
  stage.engine.on(PROJECTS, { status: 200, body: { data: [{ id: PROJECT, displayName: 'Shared' }] } });
  stage.engine.on(UPSERT, { status: 201, body: { id: 'c1', externalId: 'p_1' } });
  const version = {
    id: 'v1',
    displayName: 'A',
    valid: true,
    trigger: { name: 'trigger', type: 'EMPTY', displayName: '', valid: false, settings: {} },
  };
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, { status: 200, body: { id: FLOW, projectId: PROJECT, status: 'DISABLED', version } });
  assert.equal((await stage.client.about()).version, '0.84.1');
  assert.deepEqual(
    (await stage.client.listProjects('Shared')).map((project) => project.id),
    [PROJECT],
  );
  assert.equal((await stage.client.upsertConnection({ projectId: PROJECT, externalId: 'p_1', displayName: 'P', props: {} })).id, 'c1');
  assert.equal((await stage.client.getFlow(FLOW))?.version.id, 'v1');
});

test('a wrong admin password is reported as such', async () => {
  stage.engine.on(SIGN_IN, recorded('sign-in-wrong-password'));
  await assert.rejects(
    stage.client.listProjects(),
    (error) => ofKind('wrong_password')(error) && /INVALID_CREDENTIALS/.test(String(error)),
  );
});

test('while the engine has another admin password it still takes events, and calls go on once it takes ours', async () => {
  stage.engine.on(PROJECTS, recorded('projects-list'));
  stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded('webhook-async-accept'));
  await stage.client.listProjects();
  const former = stage.engine.requests.at(-1)?.token;
  const fresh = replayToken(new Date(stage.now.getTime() + 604_800_000), 'fresh');
  stage.engine.on(PROJECTS, ({ token }) => recorded(token === former ? 'auth-token-version-mismatch' : 'projects-list'));
  stage.engine.on(SIGN_IN, recorded('sign-in-wrong-password'));
  await assert.rejects(stage.client.listProjects(), ofKind('wrong_password'));
  const before = stage.engine.count(SIGN_IN);
  assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), 'accepted');
  assert.equal(stage.engine.count(SIGN_IN), before, 'an event needs no session');
  stage.engine.on(SIGN_IN, recorded('sign-in-ok', { token: fresh }));
  assert.equal((await stage.client.listProjects()).length, 1);
});

test('an engine that limits sign-ins is left alone for as long as it asked', async () => {
  stage.engine.on(
    SIGN_IN,
    recorded('sign-in-rate-limited'),
    recorded('sign-in-ok', { token: replayToken(new Date(stage.now.getTime() + 604_800_000)) }),
  );
  stage.engine.on(PROJECTS, recorded('projects-list'));
  await assert.rejects(stage.client.listProjects(), ofKind('busy'));
  await assert.rejects(stage.client.listProjects(), ofKind('busy'));
  assert.equal(stage.engine.count(SIGN_IN), 1);
  stage.now = new Date(stage.now.getTime() + 61_000);
  assert.equal((await stage.client.listProjects()).length, 1);
});

test('an engine whose admin has no platform yet is reported as such', async () => {
  stage.engine.on(SIGN_IN, recorded('sign-in-ok-before-platform'));
  await assert.rejects(stage.client.listProjects(), (error) => /initial setup/.test(String(error)));
});

test('lists are read to their last page', async () => {
  const rows = (name: string) => recorded(name).body as { data: unknown[]; next: string | null };
  stage.engine.on('GET /api/v1/app-connections', ({ query }) =>
    recorded(
      query.get('cursor') === null ? 'connections-list-limit' : 'connections-list-cursor',
      query.get('cursor') === null ? {} : { next: null },
    ),
  );
  const found = await stage.client.listConnections(PROJECT);
  assert.equal(found.length, rows('connections-list-limit').data.length + rows('connections-list-cursor').data.length);
  assert.deepEqual(
    stage.engine.requests.filter((request) => request.path.endsWith('app-connections')).map((request) => request.query.get('cursor')),
    [null, rows('connections-list-limit').next],
  );
});

test('whether a project is there is asked by its id; an id of another form is none', async () => {
  stage.engine.on(`GET /api/v1/projects/${PROJECT}`, { status: 200, body: (recorded('projects-list').body as { data: object[] }).data[0] });
  assert.equal(await stage.client.hasProject(PROJECT), true);
  assert.equal(await stage.client.hasProject('aaaaaaaaaaaaaaaaaaaaa'), false);
  stage.engine.on('GET /api/v1/projects/not an id', { status: 400, body: { statusCode: 400, code: 'FST_ERR_VALIDATION' } });
  assert.equal(await stage.client.hasProject('not an id'), false);
  stage.engine.on(`GET /api/v1/projects/${PROJECT}`, { status: 500, body: {} });
  await assert.rejects(stage.client.hasProject(PROJECT), ofKind('failed'));
});

test('a limit on calls says until when', async () => {
  stage.engine.on(PROJECTS, {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '7' },
    body: { statusCode: 429 },
  });
  await assert.rejects(stage.client.listProjects(), (error) => ofKind('busy')(error) && /429, not before 7 s/.test(String(error)));
});

test('an engine plan that holds no more projects is distinguished from other refusals', async () => {
  stage.engine.on('POST /api/v1/projects', recorded('project-create'), recorded('project-create-second-team'));
  assert.equal((await stage.client.createProject({ displayName: 'Partner A' })).type, 'TEAM');
  await assert.rejects(stage.client.createProject({ displayName: 'Partner B' }), ofKind('plan_limit'));
});

test('a flow that is gone or going is null, and deleting twice is no error', async () => {
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'), recorded('flow-get-deleting'), recorded('flow-get-unknown'));
  assert.equal((await stage.client.getFlow(FLOW))?.id, FLOW);
  assert.equal(await stage.client.getFlow(FLOW), null);
  assert.equal(await stage.client.getFlow(FLOW), null);
  stage.engine.on(`DELETE /api/v1/flows/${FLOW}`, recorded('flow-delete'), recorded('flow-delete-again'));
  assert.deepEqual([await stage.client.deleteFlow(FLOW), await stage.client.deleteFlow(FLOW)], [true, false]);
  stage.engine.on('DELETE /api/v1/app-connections/c1', recorded('connection-delete'), recorded('connection-delete-again'));
  assert.deepEqual([await stage.client.deleteConnection('c1'), await stage.client.deleteConnection('c1')], [true, false]);
});

test('deleting a project twice is no error; the personal one is refused', async () => {
  stage.engine.on(
    'DELETE /api/v1/projects/p1',
    recorded('project-delete-team'),
    recorded('project-delete-again'),
    recorded('project-delete-personal'),
  );
  assert.deepEqual([await stage.client.deleteProject('p1'), await stage.client.deleteProject('p1')], [true, false]);
  await assert.rejects(stage.client.deleteProject('p1'), ofKind('refused'));
});

test('all flows that carry a tag are listed, through every page, those being deleted left out', async () => {
  const [row] = (recorded('flows-list-by-name').body as { data: object[] }).data;
  const flow = (id: string, workflowId: string, more: object = {}) => ({ ...row, id, metadata: { workflowId }, ...more });
  stage.engine.on(
    'GET /api/v1/flows',
    { status: 200, body: { data: [flow('f1', 'w1'), flow('f2', 'w2')], next: 'more', previous: null } },
    { status: 200, body: { data: [flow('f3', 'w1'), flow('f4', 'w1', { operationStatus: 'DELETING' })], next: null, previous: null } },
  );
  const found = await stage.client.listFlows(PROJECT, 'sync', (metadata) => metadata['workflowId'] === 'w1');
  assert.deepEqual(
    found.map((one) => one.id),
    ['f1', 'f3'],
  );
});

describe('an execution in an engine without idempotency keys', () => {
  const MINUTE = 60_000;
  const sentAt = new Date('2026-11-22T12:00:00Z');
  /** The id of an execution that was accepted at a moment after the wanted one was sent. */
  const acceptedAfter = (ms: number, tail = '1'): string => {
    const time = (sentAt.getTime() + ms).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00000000000${tail}`;
  };
  const KEY = `GET /api/v1/flow-runs/${EXECUTION}`;
  const wanted = [{ executionId: EXECUTION, sentAt }];
  const look = async () => (await stage.client.findRuns(FLOW, wanted)).get(EXECUTION);

  /** The engine's answers: runs of the flow, newest first, and the newest run of the project, by the execution in their event. */
  function listed(ofFlow: readonly string[], newest: string | null, next: string | null = null): void {
    const [row] = (recorded('flow-runs-list-one').body as { data: { id: string }[] }).data;
    const run = recorded('flow-run-get-succeeded').body as { steps: { trigger: { output: object } } };
    stage.engine.on(KEY, { status: 400, body: { statusCode: 400, code: 'FST_ERR_VALIDATION' } });
    stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'));
    stage.engine.on('GET /api/v1/flow-runs', ({ query }) => {
      const ids = query.has('flowId') ? ofFlow.map((_, n) => `run${n}`) : newest === null ? [] : ['newest'];
      return { status: 200, body: { data: ids.map((id) => ({ ...row, id })), next: query.has('flowId') ? next : null } };
    });
    for (const [n, executionId] of [...ofFlow.entries(), ['newest', newest] as const]) {
      const trigger = { ...run.steps.trigger, output: { body: { executionId } } };
      stage.engine.on(`GET /api/v1/flow-runs/${n === 'newest' ? n : `run${n}`}`, { status: 200, body: { ...run, steps: { trigger } } });
    }
  }

  test('is found by the executionId in its event; the engine is asked for a key once and for the project of the flow once', async () => {
    listed([acceptedAfter(1, '2'), EXECUTION], null);
    const found = await look();
    assert.equal(found !== 'unseen' && found?.status, 'SUCCEEDED');
    await look();
    assert.deepEqual([stage.engine.count(KEY), stage.engine.count(`GET /api/v1/flows/${FLOW}`)], [1, 1]);
  });

  test('is unseen while it may still be queued: nothing ran, or only runs accepted before it or shortly after', async () => {
    for (const newest of [null, acceptedAfter(-MINUTE), acceptedAfter(2 * MINUTE)]) {
      listed([], newest);
      assert.equal(await look(), 'unseen');
    }
  });

  test('was certainly never stored once the queue has passed it by', async () => {
    listed([acceptedAfter(1)], acceptedAfter(4 * MINUTE));
    assert.equal(await look(), null);
  });

  test('that may lie behind more runs than are searched is unseen, regardless of the runs since then', async () => {
    listed([acceptedAfter(1)], acceptedAfter(4 * MINUTE), 'more');
    assert.equal(await look(), 'unseen');
  });

  /** An event over 32 KB, as the engine shows it: stored apart. */
  const apart = {
    output: { fileId: 'gH5J2kLmN8pQrStUvWxYz', size: 40_000, url: 'http://engine.test/api/v1/files/x' },
    outputType: 'slice',
  };
  const showing = (steps: object): void => {
    const run = recorded('flow-run-get-succeeded').body as { steps: { trigger: object } };
    const trigger = { ...run.steps.trigger, ...apart };
    stage.engine.on('GET /api/v1/flow-runs/run0', { status: 200, body: { ...run, steps: { trigger, ...steps } } });
  };

  test('whose event is too large to be shown is found by the result of its flow', async () => {
    listed([acceptedAfter(1)], acceptedAfter(4 * MINUTE));
    const outcome = { type: 'CODE', status: 'SUCCEEDED', input: {}, output: { report: { executionId: EXECUTION, status: 'SUCCEEDED' } } };
    showing({ outcome });
    const found = await look();
    assert.equal(found !== 'unseen' && found?.status, 'SUCCEEDED');
    assert.equal((await stage.client.readStopped('run0'))?.executionId, EXECUTION);
  });

  test('is unseen while a run of its flow shows no event', async () => {
    listed([acceptedAfter(1)], acceptedAfter(4 * MINUTE));
    showing({});
    assert.equal(await look(), 'unseen');
    const run = recorded('flow-run-get-succeeded').body as object;
    stage.engine.on('GET /api/v1/flow-runs/run0', { status: 200, body: { ...run, status: 'QUEUED', steps: {} } });
    assert.equal(await look(), 'unseen');
    // Another's event, without a body: it is shown, and not the wanted one.
    const trigger = { type: 'PIECE_TRIGGER', status: 'SUCCEEDED', input: {}, output: { method: 'GET', headers: {}, queryParams: {} } };
    stage.engine.on('GET /api/v1/flow-runs/run0', { status: 200, body: { ...run, steps: { trigger } } });
    assert.equal(await look(), null);
  });

  test('of a flow that is gone has no run', async () => {
    listed([], null);
    stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get-unknown'));
    assert.equal(await look(), null);
  });
});

test('the runs of many executions of one flow are read once, not once for each', async () => {
  const ids = Array.from({ length: 9 }, (_, n) => `019aac00-0000-7000-8000-00000000000${n}`);
  const [row] = (recorded('flow-runs-list-one').body as { data: { id: string }[] }).data;
  const run = recorded('flow-run-get-succeeded').body as { steps: { trigger: { output: object } } };
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'));
  stage.engine.on('GET /api/v1/flow-runs', { status: 200, body: { data: ids.map((_, n) => ({ ...row, id: `run${n}` })), next: null } });
  for (const [n, executionId] of ids.entries()) {
    const trigger = { ...run.steps.trigger, output: { body: { executionId } } };
    stage.engine.on(`GET /api/v1/flow-runs/run${n}`, { status: 200, body: { ...run, steps: { trigger } } });
    stage.engine.on(`GET /api/v1/flow-runs/${executionId}`, { status: 400, body: {} });
  }
  const found = await stage.client.findRuns(
    FLOW,
    ids.map((executionId) => ({ executionId, sentAt: stage.now })),
  );
  assert.ok(ids.every((id) => typeof found.get(id) === 'object' && found.get(id) !== null));
  assert.equal(stage.engine.requests.filter(({ path }) => path.startsWith('/api/v1/flow-runs/run')).length, 9);
});

test('runs that stopped are asked for in small pages, at most three, by all their endings', async () => {
  const [row] = (recorded('flow-runs-list-one').body as { data: { flowId: string }[] }).data;
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'));
  stage.engine.on('GET /api/v1/flow-runs', ({ query }) => ({ status: 200, body: { data: [row], next: query.get('cursor') ?? 'more' } }));
  const listed = await stage.client.listStopped([{ flowId: FLOW, since: stage.now }]);
  assert.equal(listed.length, 3);
  assert.equal(listed[0]?.flowId, row?.flowId);
  const [query] = stage.engine.requests.flatMap((request) => (request.path === '/api/v1/flow-runs' ? [request.query] : []));
  assert.deepEqual(query?.getAll('status').toSorted(), [
    'CANCELED',
    'FAILED',
    'INTERNAL_ERROR',
    'LOG_SIZE_EXCEEDED',
    'MEMORY_LIMIT_EXCEEDED',
    'QUOTA_EXCEEDED',
    'TIMEOUT',
  ]);
  assert.deepEqual([query?.getAll('flowId'), query?.get('limit')], [[FLOW], '20']);
  stage.engine.on('GET /api/v1/flow-runs/stopped', recorded('flow-run-get-succeeded'));
  assert.equal(await stage.client.readStopped('stopped'), null, 'no execution stands in its event');
});

test('health distinguishes healthy, unhealthy and unreachable, and never throws', async () => {
  assert.equal((await stage.client.health(60_000)).state, 'healthy');
  stage.engine.on('GET /api/v1/health', recorded('health-database-down'));
  assert.equal((await stage.client.health(60_000)).state, 'unhealthy');
  assert.equal((await clientFor('http://127.0.0.1:1').health(1000)).state, 'unreachable');
  assert.equal((await clientFor(null).health(1000)).state, 'unreachable');
});

test('a connection that the engine refuses for a missing piece names the piece, one for a missing project does not', async () => {
  const connection = { projectId: PROJECT, externalId: 'p1_x', displayName: 'x', props: {} };
  const PIECE = 'GET /api/v1/pieces/@activepieces/piece-http';
  stage.engine.on(UPSERT, recorded('connection-upsert-unknown-piece'), recorded('connection-upsert-foreign-project'));
  stage.engine.on(PIECE, recorded('piece-get-unknown'), recorded('piece-get-http'));
  await assert.rejects(
    stage.client.upsertConnection(connection),
    (error) => ofKind('no_piece')(error) && /does not have the piece @activepieces\/piece-http\./.test(String(error)),
  );
  await assert.rejects(stage.client.upsertConnection(connection), ofKind('not_found'));
  assert.equal(stage.engine.count(PIECE), 2);
});

test('neither password nor token nor a connection’s value that the engine repeats in its refusal gets into the error', async () => {
  const secret = 'a-very-secret-key';
  stage.engine.on(UPSERT, ({ body }) => ({
    status: 400,
    body: { code: 'INVALID_APP_CONNECTION', params: { message: JSON.stringify(body) } },
  }));
  const failed = await stage.client
    .upsertConnection({ projectId: PROJECT, externalId: 'p1_x', displayName: 'x', props: { apiKey: secret } })
    .catch((error: Error) => error);
  assert.ok(isEngineError(failed, 'refused'));
  const text = JSON.stringify({ ...failed, message: failed.message, stack: failed.stack });
  for (const hidden of [secret, 'a-good-password', 'Bearer']) assert.ok(!text.includes(hidden), hidden);
  assert.match(failed.message, /400 INVALID_APP_CONNECTION/);
});
