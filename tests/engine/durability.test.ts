import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import {
  ADMIN,
  callEngine,
  chain,
  codeStep,
  CONTINUE,
  endedRun,
  engineOptions,
  httpStep,
  publishFlow,
  runOnce,
  startSink,
} from './harness.ts';
import type { Received, Sink, TestEngine } from './harness.ts';
import { spawnEngine, spawnRefused } from './process.ts';
import type { EngineProcess } from './process.ts';

let database: TestDatabase;
let sink: Sink;
let hold = true;
const held: ServerResponse[] = [];
before(async () => {
  database = await createTestDatabase();
  sink = await startSink((request: Received, response) => {
    // The target of the second step keeps the caller waiting until the test lets go.
    if (request.url === '/slow' && hold) held.push(response);
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: true }));
    }
  });
});
after(async () => {
  await sink.close();
  await database.drop();
});

async function signedIn(engine: EngineProcess, options: ReturnType<typeof engineOptions>): Promise<TestEngine> {
  const signIn = await callEngine(engine.base, undefined, 'POST', '/api/v1/authentication/sign-in', {
    email: ADMIN.email,
    password: ADMIN.password,
  });
  const { token, projectId } = signIn.body as { token: string; projectId: string };
  return {
    engine: { port: 0, executing: async () => undefined, close: async () => undefined },
    base: engine.base,
    database,
    options,
    token,
    projectId,
    call: (method, path, body, headers) => callEngine(engine.base, token, method, path, body, headers),
    close: async () => undefined,
  };
}

const count = (url: string): number => sink.received.filter((one) => one.url === url).length;

test('a run killed in its second step is resumed at boot: finished steps are not repeated, the run ends once', async () => {
  const options = engineOptions(database, [`127.0.0.1:${sink.port}`]);
  const first = await spawnEngine(options);
  const on = await signedIn(first, options);
  const flow = await publishFlow(
    on,
    chain(
      httpStep('one', `${sink.url}/one`, { body: { data: { n: '{{trigger.body.n}}' } } }),
      codeStep('two', 'export const code = async () => ({ at: Math.random() });'),
      httpStep('three', `${sink.url}/slow`, { body: { data: { at: '{{two.at}}' } } }),
      httpStep('four', `${sink.url}/report`, { body: { data: { at: '{{two.at}}' } } }, CONTINUE),
    ),
  );
  await callEngine(first.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, { n: 1 });
  await sink.waitFor(1, (one) => one.url === '/slow');
  await first.kill();
  hold = false;

  const second = await spawnEngine(options);
  const again = await signedIn(second, options);
  const run = await endedRun(again, flow);
  assert.equal(run.status, 'SUCCEEDED');
  assert.equal(run.stepsCount, 4);
  assert.equal(count('/one'), 1, 'a stored step is never repeated');
  assert.equal(count('/slow'), 2, 'the step under way at the crash happens again');
  assert.equal(count('/report'), 1);
  // What the code step worked out before the crash is what every later step was given.
  const sent = sink.received.filter((one) => one.url === '/slow' || one.url === '/report').map(({ body }) => body);
  assert.equal(new Set(sent).size, 1);
  assert.equal(await second.stop(), 0);
});

test('a stop lets the step under way end and be stored: after the next start it is not sent again', async () => {
  const options = { ...engineOptions(database, [`127.0.0.1:${sink.port}`]), stopLimitMs: 60_000 };
  const first = await spawnEngine(options);
  const on = await signedIn(first, options);
  const flow = await publishFlow(on, chain(httpStep('one', `${sink.url}/slow`), httpStep('two', `${sink.url}/after-stop`)));
  hold = true;
  const before = count('/slow');
  await callEngine(first.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {});
  await sink.waitFor(before + 1, (one) => one.url === '/slow');
  const stopped = first.stop();
  await first.unreachable();
  hold = false;
  held.at(-1)?.writeHead(200).end('{}');
  assert.equal(await stopped, 0);
  assert.equal(count('/after-stop'), 0);

  const second = await spawnEngine(options);
  assert.equal((await endedRun(await signedIn(second, options), flow)).status, 'SUCCEEDED');
  assert.equal(count('/slow'), before + 1);
  assert.equal(count('/after-stop'), 1);
  await second.stop();
});

test('an event that was answered 200 survives kill -9: every accepted run ends, none twice', async () => {
  const options = engineOptions(database, [`127.0.0.1:${sink.port}`]);
  const first = await spawnEngine(options);
  const on = await signedIn(first, options);
  const flow = await publishFlow(on, chain(httpStep('step', `${sink.url}/each`, { body: { data: { n: '{{trigger.body.n}}' } } })));
  const answers = Array.from({ length: 200 }, async (_unused, n) => {
    try {
      const reply = await callEngine(first.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, { n });
      return reply.status === 200 ? n : undefined;
    } catch {
      return undefined;
    }
  });
  await Promise.race(answers);
  await first.kill();
  const accepted = (await Promise.all(answers)).filter((n) => n !== undefined);
  assert.ok(accepted.length > 0);

  const second = await spawnEngine(options);
  const again = await signedIn(second, options);
  for (;;) {
    const { data } = (await again.call('GET', `/api/v1/flow-runs/count-by-status?projectId=${again.projectId}`)).body as {
      data: { status: string }[];
    };
    if (data.every(({ status }) => status === 'SUCCEEDED')) break;
  }
  const reached = new Set(sink.received.filter((one) => one.url === '/each').map((one) => (JSON.parse(one.body) as { n: number }).n));
  for (const n of accepted) assert.ok(reached.has(n), `event ${n} was answered 200 and its step happened`);
  await second.stop();
});

test('a second engine on the same database waits its turn and takes over when the first is killed', async () => {
  const options = engineOptions(database, [`127.0.0.1:${sink.port}`]);
  const first = await spawnEngine(options);
  // An engine that is ready need not hold the lock yet; one that has executed does.
  const before = await signedIn(first, options);
  const done = await publishFlow(before, chain(httpStep('step', `${sink.url}/before`)));
  await runOnce(before, done);
  const second = await spawnEngine(options);
  const on = await signedIn(second, options);
  const flow = await publishFlow(on, chain(httpStep('step', `${sink.url}/taken-over`)));
  await callEngine(second.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {});
  assert.equal(count('/taken-over'), 0);
  await first.kill();
  await sink.waitFor(1, (one) => one.url === '/taken-over');
  assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
  assert.equal(count('/taken-over'), 1);
  await second.stop();
});

test('the process ends by itself when its parent lets go of stdin', async () => {
  const engine = await spawnEngine(engineOptions(database, []));
  assert.equal(await engine.closeStdin(), 0);
});

test('wrong options end the start with one clear line that holds no value', async () => {
  const { code, log } = await spawnRefused(
    JSON.stringify({ database: 'postgres://x', adminEmail: 'a@b.co', adminPassword: 'short', encryptionKey: 'secretish', jwtSecret: 'x' }),
  );
  assert.equal(code, 1);
  assert.match(log, /engine\.start_failed/);
  assert.match(log, /adminPassword/);
  assert.match(log, /encryptionKey/);
  assert.doesNotMatch(log, /secretish/);
});
