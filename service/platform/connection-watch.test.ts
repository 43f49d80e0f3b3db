import { adHoc } from '@partner-portal/tests/harness/ad-hoc.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { startTcpProxy, type TcpProxy } from '@partner-portal/tests/harness/tcp-proxy.ts';
import type pg from 'pg';
import { z } from 'zod';
import { type ConnectionWatch, createConnectionWatch, trackConnections } from './connection-watch.ts';
import { createPool } from './db/pool.ts';
import { withClient } from './db/roles.ts';
import { createDatabase, type Database } from './db/tx.ts';
import { createLog } from './log.ts';
import { defineTopic, type NoticeConnection, type Notices, openNotices } from './notify.ts';

// A network between the service and its database that loses connections, or everything, without a word.

const topic = defineTopic('watched', z.object({}));

let database: TestDatabase;
let network: TcpProxy;
let pool: pg.Pool;
let db: Database;
let notices: Notices & NoticeConnection;
let watch: ConnectionWatch;
let listening = 0;
let isAway = false;
let asked = 0;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

beforeEach(async () => {
  const own = database.configFor('portal_service');
  network = await startTcpProxy([`${own.host}/.s.PGSQL.${own.port}`]);
  const address = { ...own, host: '127.0.0.1', port: network.port };
  pool = createPool(address, { name: 'test', max: 2 });
  const endConnections = trackConnections(pool);
  db = createDatabase(pool);
  const log = createLog('silent');
  notices = openNotices(address, log);
  [listening, asked, isAway] = [0, 0, false];
  notices.subscribe(
    topic,
    () => undefined,
    () => (listening += 1),
  );
  // Once for the subscription and once for the connection.
  await until('it listens', () => listening === 2);
  watch = createConnectionWatch({
    log,
    ask: notices.ask,
    askAnew: async () => {
      asked += 1;
      if (isAway) throw new Error('The network is away.');
      await withClient(address, async () => undefined);
    },
    onLost: () => {
      notices.reconnect();
      endConnections();
    },
    askMs: 10,
    answerMs: 50,
  });
  await db.call(adHoc({ text: 'select 1' }));
});
afterEach(async () => {
  // First, so that what still waits for an answer fails.
  await network.close();
  await watch.stop();
  await notices.close();
  await pool.end();
});

describe('connections that no one answers any more', () => {
  it('are ended as soon as new ones are answered: their statements fail, the next ones succeed, and notices arrive again', async () => {
    network.silence();
    const waiting = assert.rejects(db.call(adHoc({ text: 'select 2' })), /Connection terminated/);
    watch.start();
    await waiting;
    await db.call(adHoc({ text: 'select 3' }));
    await until('it listens again', () => listening > 2);
  });

  it('are kept while no new one is answered either, and go on when the network is back', async () => {
    isAway = true;
    network.cut();
    const waiting = db.call(adHoc({ text: 'select 4 as four' }));
    watch.start();
    await until('new ones were tried', () => asked > 1);
    network.restore();
    assert.deepEqual(await waiting, [{ four: 4 }]);
    assert.equal(listening, 2);
  });
});
