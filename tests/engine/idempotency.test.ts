import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { timedIdOfKey } from '@partner-portal/engine/ids.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import {
  callEngine,
  chain,
  endedRun,
  httpStep,
  publishFlow,
  runOnce,
  type Sink,
  startSink,
  startTestEngine,
  type TestEngine,
} from './harness.ts';

/** A webhook call with an idempotency key may be repeated: it stores one run, which is found by its key. */

let sink: Sink;
let on: TestEngine;

before(async () => {
  sink = await startSink();
  on = await startTestEngine([`127.0.0.1:${sink.port}`]);
});
after(async () => {
  await on?.close();
  await sink.close();
});

/** A UUID version 7 of a moment. */
function keyOf(atMs = Date.now()): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
const post = (flow: string, key: string, body: object = {}) =>
  callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, body, { 'idempotency-key': key });
const publish = (path: string): Promise<string> => publishFlow(on, chain(httpStep('step_1', `${sink.url}${path}`)));
const hits = (path: string): number => sink.received.filter((one) => one.url === path).length;
const runs = async (flow: string): Promise<{ id: string }[]> =>
  ((await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flow}&limit=100`)).body as { data: { id: string }[] }).data;

test('twenty calls of one key at once store one run; one more after its end starts nothing', async () => {
  const flow = await publish('/at-once');
  const key = keyOf();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(flow, key, { n })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  await endedRun(on, flow);
  assert.equal((await post(flow, key)).status, 200);
  // A run of another key that ends after it: had the repeat been taken up, its step would have been made by then.
  await runOnce(on, flow);
  assert.deepEqual([(await runs(flow)).length, hits('/at-once')], [2, 2]);
});

test('calls of different keys, and calls without one, are runs of their own', async () => {
  const flow = await publish('/each');
  await Promise.all([post(flow, keyOf()), post(flow, keyOf())]);
  await Promise.all([runOnce(on, flow), runOnce(on, flow)]);
  await endedRun(on, flow, 4);
  assert.equal(hits('/each'), 4);
});

test('a run is found by its key; of a key that was never sent there is none', async () => {
  const flow = await publish('/found');
  const key = keyOf();
  await post(flow, key, { n: 7 });
  const { id } = await endedRun(on, flow);
  const found = await on.call('GET', `/api/v1/flow-runs/${key.toUpperCase()}`);
  assert.equal(found.status, 200);
  const run = found.body as { id: string; steps: { trigger: { output: { body: unknown } } } };
  assert.deepEqual([run.id, run.steps.trigger.output.body], [id, { n: 7 }]);
  assert.equal((await on.call('GET', `/api/v1/flow-runs/${keyOf()}`)).status, 404);
  assert.equal((await callEngine(on.base, undefined, 'GET', `/api/v1/flow-runs/${key}`)).status, 403);
});

test('a run that a dead process stored and never took up is taken up by the repeat', async () => {
  const flow = await publish('/left');
  const key = keyOf();
  await runOnce(on, flow);
  await withClient(on.database.configFor('portal_engine'), (client) =>
    client.query(
      `insert into engine.run (id, project_id, flow_id, flow_version_id, environment, fairness_key, input, created, updated)
       select $1, project_id, flow_id, flow_version_id, environment, fairness_key, input, now(), now() from engine.run where flow_id = $2`,
      [timedIdOfKey(key), flow],
    ),
  );
  assert.equal((await post(flow, key)).status, 200);
  await endedRun(on, flow, 2);
  assert.equal(hits('/left'), 2);
});

test('a flow that was switched off accepts the repeat of a stored run and nothing else', async () => {
  const flow = await publish('/off');
  const key = keyOf();
  await post(flow, key);
  await endedRun(on, flow);
  await on.call('POST', `/api/v1/flows/${flow}`, { type: 'CHANGE_STATUS', request: { status: 'DISABLED' } });
  assert.deepEqual([(await post(flow, key)).status, (await post(flow, keyOf())).status], [200, 404]);
});

test('a key that is none, or of a time that no partition holds, is refused', async () => {
  const flow = await publish('/refused');
  const day = 86_400_000;
  for (const key of ['once', randomUUID(), keyOf(Date.now() - 8 * day), keyOf(Date.now() + 2 * day)])
    assert.equal((await post(flow, key)).status, 400, key);
  assert.equal((await post(flow, keyOf(Date.now() - 6 * day))).status, 200);
  await endedRun(on, flow);
  assert.equal(hits('/refused'), 1);
});
