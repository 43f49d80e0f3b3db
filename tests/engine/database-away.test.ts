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

/** What engine.run_step does with the results it is given, and how many inserts it has seen. */
async function onStoring(rule: string): Promise<{ seen: () => Promise<number>; end: () => Promise<void> }> {
  const inside = new Client({ ...on.database.host.adminConfig, database: on.database.name });
  await inside.connect();
  await inside.query(`create sequence engine.seen; grant usage on sequence engine.seen to public;
    create function engine.on_storing() returns trigger language plpgsql as $$ declare n bigint := nextval('engine.seen'); begin ${rule} return new; end $$;
    create trigger on_storing before insert on engine.run_step for each row execute function engine.on_storing()`);
  return {
    seen: async () => {
      const { rows } = await inside.query<{ n: number }>('select (last_value - (not is_called)::int)::int as n from engine.seen');
      return rows[0]?.n ?? 0;
    },
    end: async () => {
      await inside.query('drop trigger on_storing on engine.run_step; drop function engine.on_storing; drop sequence engine.seen');
      await inside.end();
    },
  };
}

const textsAt = (path: string): number => sink.received.filter(({ url }) => url === path).length;

test('a step whose result a full disk does not take is not performed again, and the run goes on once there is room', async () => {
  const flow = await publishFlow(on, chain(httpStep('text', `${sink.url}/full`), httpStep('report', `${sink.url}/after-full`)));
  const storing = await onStoring(`raise exception 'No space left on device' using errcode = '53100';`);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {})).status, 200);
  while ((await storing.seen()) < 3);
  assert.deepEqual([textsAt('/full'), textsAt('/after-full')], [1, 0]);
  await storing.end();
  const run = await endedRun(on, flow);
  assert.equal(run.status, 'SUCCEEDED');
  assert.deepEqual([textsAt('/full'), textsAt('/after-full')], [1, 1]);
});

test('a step whose result waits to be stored when every connection breaks, that of the lock too, is not performed again', async () => {
  const flow = await publishFlow(on, chain(httpStep('text', `${sink.url}/lost`), httpStep('report', `${sink.url}/after-lost`)));
  const storing = await onStoring(`raise exception 'No space left on device' using errcode = '53100';`);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {})).status, 200);
  while ((await storing.seen()) < 2);
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'engine%'`, [
    on.database.name,
  ]);
  const lockPid = async (): Promise<number | undefined> => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and application_name = 'engine-executor'`,
      [on.database.name],
    );
    return rows[0]?.pid;
  };
  while ((await lockPid()) === undefined);
  await storing.end();
  assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
  assert.deepEqual([textsAt('/lost'), textsAt('/after-lost')], [1, 1]);
});

test('a step whose result was on its way when the connection broke is not performed again', async () => {
  const flow = await publishFlow(on, chain(httpStep('text', `${sink.url}/broken`), httpStep('report', `${sink.url}/after-broken`)));
  const storing = await onStoring('if n = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;');
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {})).status, 200);
  assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
  assert.ok((await storing.seen()) > 1);
  await storing.end();
  assert.deepEqual([textsAt('/broken'), textsAt('/after-broken')], [1, 1]);
});

test('a run whose result the database can never take ends, with its step performed once', async () => {
  const flow = await publishFlow(on, chain(httpStep('text', `${sink.url}/never`), httpStep('report', `${sink.url}/after-never`)));
  const storing = await onStoring(`raise exception 'no such text' using errcode = '22021';`);
  assert.equal((await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {})).status, 200);
  assert.equal((await endedRun(on, flow)).status, 'INTERNAL_ERROR');
  await storing.end();
  assert.deepEqual([textsAt('/never'), textsAt('/after-never')], [1, 0]);
});
