import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { ADMIN, callEngine, chain, codeStep, CONTINUE, engineOptions, httpStep, publishFlow, type Sink, startSink } from './harness.ts';
import { type EngineProcess, spawnEngine } from './process.ts';

/** The engine in a heap that the same load filled: what does not fit waits in the database, and no input ends the process. */

const HEAP = '--max-old-space-size=128';
const EVENT_BYTES = 256 * 1024;
/** Small objects take most memory for their bytes. */
const WIDE = `{"list":[${'{},'.repeat(Math.floor((EVENT_BYTES - 20) / 3) - 1)}{}]}`;

let database: TestDatabase;
let engine: EngineProcess;
let sink: Sink;
let on: Parameters<typeof publishFlow>[0];

before(async () => {
  sink = await startSink((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(request.url === '/large' ? `[${'{},'.repeat(100_000)}{}]` : '{}');
  });
  database = await createTestDatabase();
  engine = await spawnEngine(engineOptions(database, [`127.0.0.1:${sink.port}`]), [HEAP]);
  const signIn = await callEngine(engine.base, undefined, 'POST', '/api/v1/authentication/sign-in', ADMIN);
  const { token, projectId } = signIn.body as { token: string; projectId: string };
  on = { projectId, call: (method, path, body, headers) => callEngine(engine.base, token, method, path, body, headers) };
});
after(async () => {
  await engine.stop();
  await database.drop();
  await sink.close();
});

/** Sends an event, as its sender does, until the engine has stored it: no room, or the database of a busy machine did not answer in time. */
async function send(flowId: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
  for (let failed = 0; failed < 100;) {
    const { status } = await callEngine(engine.base, undefined, 'POST', `/api/v1/webhooks/${flowId}`, body, headers);
    if (status === 200) return;
    assert.ok(status === 503 || status === 500, String(status));
    if (status === 500) failed += 1;
  }
  assert.fail('the engine failed a hundred times');
}

async function endings(flowId: string, count: number): Promise<string[]> {
  for (;;) {
    const list = await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flowId}&limit=100`);
    const rows = (list.body as { data: { status: string; finishTime: string | null }[] }).data;
    if (rows.filter((row) => row.finishTime !== null).length >= count) return rows.map((row) => row.status);
  }
}

test('96 of the largest events in a row, with outputs that grow, end in stated states while another tenant passes', async () => {
  const plain = await publishFlow(on, httpStep('post', `${sink.url}/plain`), { metadata: { partnerId: 'big' } });
  const growing = await publishFlow(
    on,
    chain(
      codeStep('copy', 'export const code = (inputs) => ({ list: inputs.list });', { list: '{{trigger.body.list}}' }, CONTINUE),
      httpStep('fetch', `${sink.url}/large`, { body: { data: '{{trigger.body}}' } }, CONTINUE),
      codeStep('grow', 'export const code = ({ a, b }) => [a, b, a];', { a: '{{copy.list}}', b: '{{fetch.body}}' }, CONTINUE),
    ),
    { metadata: { partnerId: 'big' } },
  );
  const small = await publishFlow(on, httpStep('ping', `${sink.url}/small`), { metadata: { partnerId: 'small' } });
  let next = 0;
  const sendOn = async (): Promise<void> => {
    while (next < 96) await send(next++ % 16 === 0 ? growing : plain, WIDE);
  };
  const sent = Promise.all(Array.from({ length: 16 }, sendOn));
  await sink.waitFor(1, (one) => one.url === '/plain');
  await send(small, '{}');
  assert.deepEqual(await endings(small, 1), ['SUCCEEDED']);
  await sent;
  const [steady, grown] = await Promise.all([endings(plain, 90), endings(growing, 6)]);
  assert.deepEqual([...new Set(steady)], ['SUCCEEDED']);
  assert.deepEqual([...new Set(grown)], ['LOG_SIZE_EXCEEDED'], 'a run that holds more than its limit fails by name');
  assert.ok(engine.isRunning(), 'the process that took the events is the one that ended them');
});
