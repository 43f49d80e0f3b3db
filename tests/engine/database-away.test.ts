import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
