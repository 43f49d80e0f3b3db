import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { startTcpProxy, type TcpProxy } from '@partner-portal/tests/harness/tcp-proxy.ts';
import { type ClientConfig, Pool } from 'pg';
import { type ConnectionWatch, trackConnections, watchConnections } from './connection-watch.ts';

let database: TestDatabase;
let network: TcpProxy;
let config: ClientConfig;
let pool: Pool;
let watch: ConnectionWatch;
let lost = 0;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

beforeEach(async () => {
  const own = database.configFor('portal_engine');
  network = await startTcpProxy([`${own.host}/.s.PGSQL.${own.port}`]);
  config = { ...own, host: '127.0.0.1', port: network.port };
  pool = new Pool({ ...config, max: 2 });
  pool.on('error', () => undefined);
  const end = trackConnections(pool);
  await pool.query('select 1');
  lost = 0;
  watch = watchConnections(
    config,
    () => undefined,
    () => ((lost += 1), end()),
    { askMs: 10, answerMs: 50 },
  );
  // Its connection shows up before it may be used: one that is lost while it opens says nothing about the others.
  await until('the watch has asked', async () => {
    const { rowCount } = await pool.query(
      "select from pg_stat_activity where application_name = 'engine-watch' and datname = current_database() and query = 'select 1'",
    );
    return rowCount === 1;
  });
});
afterEach(async () => {
  // First, so that what still waits for an answer fails.
  await network.close();
  await watch.close();
  await pool.end();
});

test('connections that no one answers any more are ended: their statements fail, and the next ones succeed', async () => {
  network.silence();
  await assert.rejects(pool.query('select 2'), /Connection terminated/);
  assert.equal((await pool.query('select 3 as three')).rows[0]?.three, 3);
});

test('connections are kept while no new one is answered either, and go on when the network is back', async () => {
  network.cut();
  const waiting = pool.query('select 4 as four');
  await until('a new one was tried', () => network.waiting() > 0);
  network.restore();
  assert.equal((await waiting).rows[0]?.four, 4);
  assert.equal(lost, 0);
});
