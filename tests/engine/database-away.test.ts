import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { budgetsOf } from '@partner-portal/engine/memory.ts';
import { Client } from 'pg';
import { callEngine, chain, endedRun, httpStep, publishFlow, startSink, startTestEngine } from './harness.ts';
import type { Sink, TestEngine } from './harness.ts';

let on: TestEngine;
let sink: Sink;
let admin: Client;
before(async () => {
  sink = await startSink();
  on = await startTestEngine([`127.0.0.1:${sink.port}`]);
  admin = new Client(on.database.host.adminConfig);
  await admin.connect();
});
after(async () => {
  await on.close();
  await admin.end();
  await sink.close();
});

async function takeDatabaseAway(): Promise<void> {
  await admin.query(`alter database ${on.database.name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [on.database.name]);
}

async function giveDatabaseBack(): Promise<void> {
  await admin.query(`alter database ${on.database.name} with allow_connections true`);
}

test('without its database the engine is Unhealthy and accepts nothing; with it back, it runs again by itself', async () => {
  const flow = await publishFlow(on, chain(httpStep('step_1', `${sink.url}/ok`)));
  const post = () => callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {});
  assert.equal((await post()).status, 200);
  await endedRun(on, flow);

  await takeDatabaseAway();
  assert.deepEqual((await callEngine(on.base, undefined, 'GET', '/api/v1/health')).body, { status: 'Unhealthy' });
  const refused = await post();
  assert.equal(refused.status, 500);
  assert.doesNotMatch(JSON.stringify(refused.body), /connect|postgres|database/i);

  await giveDatabaseBack();
  for (;;) {
    const health = await callEngine(on.base, undefined, 'GET', '/api/v1/health');
    if (health.status === 200) break;
  }
  assert.equal((await post()).status, 200);
  assert.equal((await endedRun(on, flow, 2)).status, 'SUCCEEDED');
  // The refused event did not run behind anyone's back.
  assert.equal(sink.received.length, 2);
});

test('callers that gave up while its database stalled leave no room for events taken', async () => {
  const flow = await publishFlow(on, chain(httpStep('step_1', `${sink.url}/stalled`)));
  const { eventBytesMax, intakeBytes } = budgetsOf();
  // Together they fill the share of one key.
  const count = Math.ceil(intakeBytes / 2 / eventBytesMax);
  const port = Number(new URL(on.base).port);
  const stall = new Client({ ...on.database.host.adminConfig, database: on.database.name });
  await stall.connect();
  await stall.query('begin; lock table engine.flow in access exclusive mode');
  const sockets = await Promise.all(
    Array.from({ length: count }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof connect>>();
      const socket = connect(port, '127.0.0.1', () => {
        const head = `POST /api/v1/webhooks/${flow} HTTP/1.1\r\nhost: engine\r\ncontent-type: application/json\r\ncontent-length: ${eventBytesMax}\r\n\r\n`;
        socket.write(head, () => resolve(socket));
      }).once('error', reject);
      return promise;
    }),
  );
  for (let waiting = 0; waiting === 0;) {
    const { rows } = await admin.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
      [on.database.name],
    );
    waiting = rows[0]?.waiting ?? 0;
  }
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())));
  // Answered after what the server saw before: the ends of those connections.
  assert.equal((await callEngine(on.base, undefined, 'GET', '/api/v1/flags')).status, 200);
  await stall.query('rollback');
  await stall.end();
  const body = JSON.stringify({ text: 'x'.repeat(eventBytesMax - 100) });
  assert.equal(
    (await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, body, { 'content-type': 'application/json' })).status,
    200,
  );
  assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
});
