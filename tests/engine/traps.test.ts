import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { recorded } from '../harness/replay-engine.ts';
import { clientFor, EXECUTION, FLOW, ofKind, PROJECT, PROJECTS, SIGN_IN, stage, UPSERT, useClientStage } from './client-stage.ts';

useClientStage();

/** The ten traps of the engine's API, each by its number: our client against what the real engine was recorded to answer. */

const IMPORT = { displayName: 'Imported', schemaVersion: '20' as const };

test('trap 1: the /api prefix is found by content, because without it a web page answers 200', async () => {
  stage.engine.on(PROJECTS, recorded('projects-list'));
  assert.equal((await stage.client.listProjects()).length, 1);
  assert.equal((await stage.client.listProjects()).length, 1);
  assert.equal(stage.engine.count('GET /api/v1/health'), 1, 'looked for once');
});

test('trap 1: an address that already ends in /api is honoured', async () => {
  stage.engine.on(PROJECTS, recorded('projects-list'));
  assert.equal((await clientFor(`${stage.engine.url}/api/`).listProjects()).length, 1);
});

test('trap 1: a server that answers only web pages is not taken for a healthy engine', async () => {
  stage.engine.on('GET /api/v1/health', recorded('health-without-api-prefix'));
  const health = await stage.client.health(60_000);
  assert.equal(health.state, 'unreachable');
  assert.match(health.message ?? '', /not the workflow engine/);
});

test('trap 1: a sign-in answered by a web page is no session', async () => {
  stage.engine.on(SIGN_IN, recorded('sign-in-without-api-prefix'));
  await assert.rejects(stage.client.listProjects(), ofKind('protocol'));
});

test('trap 1: an event answered by a web page was not taken, and is sent again', async () => {
  stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded('health-without-api-prefix'), recorded('webhook-async-accept'));
  assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), 'unreachable');
  assert.equal(await stage.client.dispatch(FLOW, EXECUTION, {}), 'accepted');
});

test('trap 2: flows are imported with schemaVersion "20", which every tested engine rewrites by itself', async () => {
  stage.engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-import-flow'));
  await stage.client.importFlow(FLOW, { ...IMPORT, trigger: chain(returnedNames('flow-op-import-flow')) });
  const [sent] = stage.engine.requests.filter((request) => request.path === `/api/v1/flows/${FLOW}`);
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
    stage.engine.on('GET /api/v1/flags', recorded('flags', { CURRENT_VERSION: version }));
    if (accepted) assert.equal((await stage.client.about()).version, version);
    else await assert.rejects(stage.client.about(), (error) => ofKind('untested_version')(error) && String(error).includes(version));
  }
  stage.engine.on('GET /api/v1/flags', recorded('flags', { CURRENT_VERSION: '0.99.0' }));
  await assert.rejects(stage.client.createFlow({ projectId: PROJECT, displayName: 'x', metadata: {} }), ofKind('untested_version'));
  assert.deepEqual([stage.engine.count(SIGN_IN), stage.engine.count('POST /api/v1/flows')], [0, 0]);
});

test('trap 3: a connection whose name would break references to it is never created', async () => {
  stage.engine.on(UPSERT, recorded('connection-upsert-custom-auth'));
  const connection = { projectId: PROJECT, displayName: 'SQL', props: { reference: 'x' } };
  for (const externalId of ["p1'x", 'p1.x', 'p1:x', ''])
    await assert.rejects(stage.client.upsertConnection({ ...connection, externalId }), ofKind('protocol'));
  assert.equal(stage.engine.count(UPSERT), 0);
  assert.equal((await stage.client.upsertConnection({ ...connection, externalId: 'p1_sql' })).externalId, 'p1_sql');
  const [sent] = stage.engine.requests.filter((request) => request.path === '/api/v1/app-connections');
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
  ['a 403 without a code, as most routes give for a revoked session', 'auth-revoked-without-code'],
] as const) {
  test(`trap 4: after ${what} the client signs in once and repeats the call once`, async () => {
    stage.engine.on(PROJECTS, recorded(refused), recorded('projects-list'));
    assert.equal((await stage.client.listProjects()).length, 1);
    assert.deepEqual([stage.engine.count(SIGN_IN), stage.engine.count(PROJECTS)], [2, 2]);
  });
}

test('trap 4: a token refused again and again ends in an error, never in a loop', async () => {
  stage.engine.on(PROJECTS, recorded('auth-bad-signature'));
  await assert.rejects(stage.client.listProjects(), ofKind('unauthorized'));
  assert.deepEqual([stage.engine.count(SIGN_IN), stage.engine.count(PROJECTS)], [2, 2]);
});

test('trap 4: a route that refuses every session without a code costs one sign-in, not one a call', async () => {
  stage.engine.on(PROJECTS, recorded('auth-revoked-without-code'));
  for (let n = 0; n < 3; n += 1) await assert.rejects(stage.client.listProjects(), ofKind('unauthorized'));
  assert.deepEqual([stage.engine.count(SIGN_IN), stage.engine.count(PROJECTS)], [2, 4]);
  // A minute later a session that was revoked meanwhile is renewed again.
  stage.now = new Date(stage.now.getTime() + 61_000);
  const revoked = stage.engine.requests.at(-1)?.token;
  stage.engine.on(PROJECTS, ({ token }) => recorded(token === revoked ? 'auth-revoked-without-code' : 'projects-list'));
  assert.equal((await stage.client.listProjects()).length, 1);
  assert.equal(stage.engine.count(SIGN_IN), 3);
});

test('trap 4: 401 from an engine whose database is away is called what it is', async () => {
  stage.engine.on('GET /api/v1/health', recorded('health-ok'), recorded('health-database-down'));
  stage.engine.on(PROJECTS, recorded('projects-list-database-down'));
  await assert.rejects(stage.client.listProjects(), ofKind('unhealthy'));
});

test('trap 4: 403 AUTHORIZATION is not cured by signing in, so it is not tried', async () => {
  stage.engine.on(PROJECTS, recorded('auth-missing-token'));
  await assert.rejects(stage.client.listProjects(), ofKind('unauthorized'));
  assert.deepEqual([stage.engine.count(SIGN_IN), stage.engine.count(PROJECTS)], [1, 1]);
});

test('trap 5: a flow the engine calls invalid is never published', async () => {
  const flow = recorded('flow-op-publish-invalid-flow').body;
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, { status: 200, body: flow });
  stage.engine.on(`POST /api/v1/flows/${FLOW}`, { status: 200, body: flow });
  await assert.rejects(stage.client.publish(FLOW), (error) => ofKind('refused')(error) && /invalid/.test(String(error)));
  assert.equal(stage.engine.count(`POST /api/v1/flows/${FLOW}`), 0);
});

test('trap 5: a valid flow is published and on afterwards', async () => {
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-op-import-flow'));
  stage.engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-publish-imported'));
  const flow = await stage.client.publish(FLOW);
  assert.deepEqual([flow.status, flow.publishedVersionId === flow.version.id], ['ENABLED', true]);
});

test('trap 6: an edit that the engine silently dropped is noticed, although it answered 200', async () => {
  stage.engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-add-action-bad-parent'));
  const sent = chain([...returnedNames('flow-op-add-action-bad-parent'), 'lost_step']);
  await assert.rejects(
    stage.client.importFlow(FLOW, { ...IMPORT, trigger: sent }),
    (error) => ofKind('protocol')(error) && /lost_step/.test(String(error)),
  );
});

test('trap 7: edits of one flow take turns, edits of different flows do not wait for each other', async () => {
  const other = 'AAAAAAAAAAAAAAAAAAAAA';
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  stage.engine.on(
    `POST /api/v1/flows/${FLOW}`,
    () => {
      arrived.resolve();
      return { ...recorded('flow-op-publish-imported'), until: gate.promise };
    },
    recorded('flow-op-publish-imported'),
  );
  stage.engine.on(`POST /api/v1/flows/${other}`, recorded('flow-op-publish-imported'));
  const first = stage.client.changeStatus(FLOW, 'ENABLED');
  const second = stage.client.changeStatus(FLOW, 'DISABLED');
  await stage.client.changeStatus(other, 'ENABLED');
  await arrived.promise;
  assert.equal(stage.engine.count(`POST /api/v1/flows/${FLOW}`), 1, 'the second waits');
  gate.resolve();
  await Promise.all([first, second]);
  assert.equal(stage.engine.count(`POST /api/v1/flows/${FLOW}`), 2);
});

test('trap 8: upserts of one connection take turns, and a failed one does not block the next', async () => {
  let atOnce = 0;
  let most = 0;
  stage.engine.on(UPSERT, async (_, n) => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
    return n === 1 ? { status: 500, body: { statusCode: 500 } } : recorded('connection-upsert-custom-auth');
  });
  const connection = { projectId: PROJECT, externalId: 'p1_sql', displayName: 'SQL', props: {} };
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => stage.client.upsertConnection(connection)));
  assert.equal(most, 1);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('trap 9: an engine that never answers costs the budget, not for ever', async () => {
  const never = Promise.withResolvers<void>();
  stage.engine.on('GET /api/v1/health', { status: 200, until: never.promise });
  const health = await stage.client.health(50);
  assert.equal(health.state, 'unreachable');
  never.resolve();
});

test('trap 9: every call has a limit, and those that wait for a worker have a longer one', async () => {
  const limits = new Map<string, number>();
  const send = createEngineSend(stage.outbound);
  const watched = clientFor(stage.engine.url, (call) => {
    limits.set(`${call.method} ${new URL(call.url).pathname.replace('/api/v1', '')}`, call.timeoutMs);
    return send(call);
  });
  stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-op-import-flow'));
  stage.engine.on(`POST /api/v1/flows/${FLOW}`, recorded('flow-op-publish-imported'));
  stage.engine.on(UPSERT, recorded('connection-upsert-custom-auth'));
  stage.engine.on(PROJECTS, recorded('projects-list'));
  await watched.publish(FLOW);
  const publishing = limits.get(`POST /flows/${FLOW}`);
  await watched.upsertConnection({ projectId: PROJECT, externalId: 'p1_sql', displayName: 'SQL', props: {} });
  await watched.listProjects();
  await watched.dispatch(FLOW, EXECUTION, {});
  await watched.health(700);
  for (const [call, limit] of limits) assert.ok(limit > 0 && limit <= 60_000, `${call}: ${limit} ms`);
  assert.deepEqual([publishing, limits.get('POST /app-connections')], [60_000, 60_000]);
  assert.ok((limits.get('GET /health') ?? 0) <= 700);
});

test('trap 10: events go to the asynchronous address, never to /sync', async () => {
  stage.engine.on(`POST /api/v1/webhooks/${FLOW}`, recorded('webhook-async-accept'));
  assert.equal(await stage.client.dispatch(FLOW, EXECUTION, { executionId: EXECUTION }), 'accepted');
  const sent = stage.engine.requests.find((request) => request.path.includes('/webhooks/'));
  assert.deepEqual([sent?.path, sent?.token], [`/api/v1/webhooks/${FLOW}`, null]);
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
