import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { createTestDatabase } from '../harness/database.ts';
import { recorded } from '../harness/replay-engine.ts';
import { clientFor, EXECUTION, FLOW, stage, useClientStage } from './client-stage.ts';
import {
  ADMIN,
  chain,
  codeStep,
  endedRun,
  engineOptions,
  httpStep,
  publishFlow,
  type Sink,
  startSink,
  startTestEngine,
  type TestEngine,
} from './harness.ts';
import { spawnEngine } from './process.ts';

useClientStage();

/** A flow is called and its own answer is the result: as the real engine was recorded, and with the embedded one. */

const WAIT = { timeoutMs: 60_000 };

describe('a direct call of the recorded engine', () => {
  const SYNC = `POST /api/v1/webhooks/${FLOW}/sync`;
  for (const [exchange, kind] of [
    ['webhook-sync-no-response-step', 'silent'],
    ['webhook-sync-failing-flow', 'silent'],
    ['webhook-sync-worker-down', 'silent'],
    ['webhook-disabled-flow-sync', 'not_found'],
    ['webhook-unknown-flow', 'gone'],
    ['webhook-bad-flow-id', 'refused'],
    ['webhook-payload-26mb', 'refused'],
    ['webhook-database-down', 'unreachable'],
    ['sign-in-rate-limited', 'unreachable'],
    ['health-without-api-prefix', 'unreachable'],
  ] as const)
    test(`answered as in ${exchange} is ${kind}`, async () => {
      stage.engine.on(SYNC, recorded(exchange));
      assert.deepEqual(await stage.client.callFlow(FLOW, EXECUTION, {}, WAIT), { kind });
    });

  test('has the response of the Return Response step, with any success status', async () => {
    stage.engine.on(SYNC, recorded('webhook-sync-return-response'));
    assert.deepEqual(await stage.client.callFlow(FLOW, EXECUTION, { v: 21 }, WAIT), { kind: 'answered', body: { twice: 42 } });
    const [sent] = stage.engine.requests.filter((one) => one.path.includes('/webhooks/'));
    assert.deepEqual([sent?.path, sent?.token, sent?.body], [`/api/v1/webhooks/${FLOW}/sync`, null, { v: 21 }]);
  });

  test('that did not arrive is distinguished from one whose answer was lost, late or given up', async () => {
    assert.deepEqual(await clientFor('http://127.0.0.1:1').callFlow(FLOW, EXECUTION, {}, WAIT), { kind: 'unreachable' });
    stage.engine.on(SYNC, { status: 500, body: { statusCode: 500 } });
    assert.deepEqual(await stage.client.callFlow(FLOW, EXECUTION, {}, WAIT), { kind: 'ambiguous' });
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    stage.engine.on(SYNC, () => (arrived.resolve(), { status: 204, until: held.promise }));
    assert.deepEqual(await stage.client.callFlow(FLOW, EXECUTION, {}, { timeoutMs: 100 }), { kind: 'ambiguous' });
    const given = new AbortController();
    const call = stage.client.callFlow(FLOW, EXECUTION, {}, { ...WAIT, signal: given.signal });
    await arrived.promise;
    given.abort();
    assert.deepEqual(await call, { kind: 'ambiguous' });
    held.resolve();
  });

  test('is found again by the turn in its event, which has no executionId', async () => {
    const run = recorded('flow-run-get-succeeded').body as { steps: { trigger: { output: object } } };
    const [row] = (recorded('flow-runs-list-one').body as { data: object[] }).data;
    const trigger = { ...run.steps.trigger, output: { body: { turnId: EXECUTION, workflowId: 'w' } } };
    stage.engine.on(`GET /api/v1/flow-runs/${EXECUTION}`, { status: 400, body: {} });
    stage.engine.on(`GET /api/v1/flows/${FLOW}`, recorded('flow-get'));
    stage.engine.on('GET /api/v1/flow-runs', { status: 200, body: { data: [{ ...row, id: 'run1' }], next: null } });
    stage.engine.on('GET /api/v1/flow-runs/run1', { status: 200, body: { ...run, steps: { trigger } } });
    const found = (await stage.client.findRuns(FLOW, [{ executionId: EXECUTION, sentAt: stage.now }])).get(EXECUTION);
    assert.equal(found !== 'unseen' && found?.status, 'SUCCEEDED');
    assert.equal((await stage.client.readStopped('run1'))?.executionId, EXECUTION);
  });
});

describe('a direct call of the embedded engine', () => {
  let sink: Sink;
  let on: TestEngine;
  let client: EngineClient;
  /** Steps that call `/held` wait here. */
  let held = Promise.withResolvers<void>();

  before(async () => {
    sink = await startSink((request, response) => {
      void (request.url === '/held' ? held.promise : Promise.resolve()).then(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"sink"}'),
      );
    });
    on = await startTestEngine([`127.0.0.1:${sink.port}`], { syncLimitMs: WAIT.timeoutMs });
    client = clientAt(() => on.base);
  });
  after(async () => {
    held.resolve();
    await on?.close();
    await sink.close();
  });

  const clientAt = (baseUrl: () => string): EngineClient =>
    createEngineClient({
      baseUrl,
      account: { email: ADMIN.email, password: new Secret(ADMIN.password) },
      send: createEngineSend(stage.outbound),
      clock: { now: () => new Date() },
    });
  const answer = {
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
      input: { responseType: 'json', respond: 'respond', fields: { status: 200, headers: {}, body: { got: '{{trigger.body.n}}' } } },
    },
  };
  const callOf = (flow: string, id = newId(), body: object = { n: 7 }) => client.callFlow(flow, id, body, WAIT);

  test('has the answer while its run goes on', async () => {
    held = Promise.withResolvers();
    const flow = await publishFlow(on, chain(answer, httpStep('after', `${sink.url}/held`)));
    const id = newId();
    assert.deepEqual(await callOf(flow, id), { kind: 'answered', body: { got: 7 } });
    await sink.waitFor(1, (one) => one.url === '/held');
    const running = (await client.findRuns(flow, [{ executionId: id, sentAt: new Date() }])).get(id);
    assert.equal(running !== 'unseen' && running?.status, 'RUNNING');
    held.resolve();
    assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
  });

  test('is silent once its time is over, and its run goes on', async () => {
    held = Promise.withResolvers();
    const hurried = await startTestEngine([`127.0.0.1:${sink.port}`], { syncLimitMs: 100 });
    const flow = await publishFlow(hurried, chain(httpStep('slow', `${sink.url}/held`), answer));
    assert.deepEqual(await clientAt(() => hurried.base).callFlow(flow, newId(), { n: 7 }, WAIT), { kind: 'silent' });
    held.resolve();
    assert.equal((await endedRun(hurried, flow)).status, 'SUCCEEDED');
    await hurried.close();
  });

  test('is silent at once when its run ends without an answer', async () => {
    const flow = await publishFlow(on, chain(codeStep('broken', 'export const code = async () => { throw new Error("x"); };'), answer));
    assert.deepEqual(await callOf(flow), { kind: 'silent' });
    assert.equal((await endedRun(on, flow)).status, 'FAILED');
  });

  test('made ten times at once with one id is one run, whose answer all have; one more after its end starts nothing', async () => {
    const flow = await publishFlow(on, chain(httpStep('once', `${sink.url}/once`), answer));
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => callOf(flow, id)));
    const kinds = new Set(answers.map((one) => one.kind));
    // A call that arrives after the run has ended finds the run by its id.
    assert.ok(kinds.has('answered') && [...kinds].every((kind) => kind === 'answered' || kind === 'silent'));
    await endedRun(on, flow);
    assert.deepEqual(await callOf(flow, id), { kind: 'silent' });
    assert.equal(sink.received.filter((one) => one.url === '/once').length, 1);
  });

  test('whose engine is killed under way is ambiguous, and the next process ends the run', async () => {
    held = Promise.withResolvers();
    const database = await createTestDatabase();
    const options = engineOptions(database, [`127.0.0.1:${sink.port}`]);
    const doomed = await spawnEngine(options);
    let base = doomed.base;
    const outlasting = clientAt(() => base);
    const [project] = await outlasting.listProjects();
    const { id: flow } = await outlasting.createFlow({ projectId: project?.id ?? '', displayName: 'Doomed', metadata: {} });
    const steps = chain(httpStep('slow', `${sink.url}/held`), answer);
    const trigger = {
      type: 'PIECE_TRIGGER',
      name: 'trigger',
      displayName: 'Event',
      valid: true,
      lastUpdatedDate: '2026-11-21T00:00:00.000Z',
      settings: {
        pieceName: '@activepieces/piece-webhook',
        pieceVersion: '0.1.34',
        triggerName: 'catch_webhook',
        input: { authType: 'none' },
        propertySettings: {},
      },
      nextAction: steps,
    } as unknown as Parameters<EngineClient['importFlow']>[1]['trigger']; // as the engine takes it
    await outlasting.importFlow(flow, { displayName: 'Doomed', schemaVersion: '20', trigger });
    await outlasting.publish(flow);
    const id = newId();
    const before_ = sink.received.length;
    const call = outlasting.callFlow(flow, id, { n: 1 }, WAIT);
    await sink.waitFor(before_ + 1);
    await doomed.kill();
    assert.deepEqual(await call, { kind: 'ambiguous' });
    const next = await spawnEngine(options);
    base = next.base;
    held.resolve();
    for (;;) {
      const run = (await outlasting.findRuns(flow, [{ executionId: id, sentAt: new Date() }])).get(id);
      assert.ok(run !== null && run !== 'unseen' && run !== undefined, 'the run is stored');
      if (run.status === 'SUCCEEDED') break;
    }
    await next.stop();
    await database.drop();
  });
});
