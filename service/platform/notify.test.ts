import assert from 'node:assert/strict';
import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createPool } from './db/pool.ts';
import { withClient } from './db/roles.ts';
import { createDatabase, type Database } from './db/tx.ts';
import { createLog } from './log.ts';
import { announce, defineTopic, type Notices, openNotices } from './notify.ts';

const runChanged = defineTopic('run_changed', z.object({ id: z.string() }));
const heard = new EventEmitter<{ news: [string] }>();

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let notices: Notices;
const lines: string[] = [];

const say = (id: string): Promise<void> => db.asSystem('seed', (tx) => announce(tx, runChanged, { id }));
const isListening = async (): Promise<boolean> => {
  const { rowCount } = await withClient({ ...database.host.adminConfig, database: database.name }, (client) =>
    client.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'portal notices' and query like 'listen%' and state = 'idle'`,
    ),
  );
  return rowCount === 1;
};
/** Ends the listening connection. */
const cut = () =>
  withClient({ ...database.host.adminConfig, database: database.name }, (client) =>
    client.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and application_name = 'portal notices'`,
    ),
  );

before(async () => {
  database = await createTestDatabase();
  pool = createPool(database.configFor('portal_service'), { name: 'test', max: 2 });
  db = createDatabase(pool);
  notices = openNotices(database.configFor('portal_service'), createLog('warn', { write: (line: string) => void lines.push(line) }));
  notices.subscribe(runChanged, ({ id }) => heard.emit('news', id));
  while (!(await isListening())) await setImmediate();
});

after(async () => {
  await notices.close();
  await pool.end();
  await database.drop();
});

describe('news', () => {
  it('arrive when the transaction commits, and never when it does not', async () => {
    const first = once(heard, 'news');
    const rolledBack = db.asSystem('seed', async (tx) => {
      await announce(tx, runChanged, { id: 'ghost' });
      throw new Error('no');
    });
    await assert.rejects(rolledBack);
    await say('real');
    assert.deepEqual(await first, ['real']);
  });

  it('arrive again after the connection was lost', async () => {
    await cut();
    while (!(await isListening())) await setImmediate();
    const next = once(heard, 'news');
    await say('back');
    assert.deepEqual(await next, ['back']);
  });

  it('that cannot be read are logged once, for any number of subscribers', async () => {
    const stop = notices.subscribe(runChanged, () => undefined);
    lines.length = 0;
    const next = once(heard, 'news');
    await db.asSystem('seed', (tx) => announce(tx, { ...runChanged, payload: z.object({}) }, {}));
    await say('readable');
    assert.deepEqual(await next, ['readable']);
    assert.equal(lines.filter((line) => line.includes('notice with an invalid payload ignored')).length, 1);
    stop();
  });

  it('may have been missed whenever listening begins, and its subscribers are told so', async () => {
    let missed = 0;
    const stop = notices.subscribe(
      defineTopic('nobody_speaks', z.object({})),
      () => undefined,
      () => {
        missed += 1;
        heard.emit('news', 'missed');
      },
    );
    await once(heard, 'news');
    assert.equal(missed, 1);
    const again = once(heard, 'news');
    await cut();
    assert.deepEqual([await again, missed], [['missed'], 2]);
    stop();
    await cut();
    while (!(await isListening())) await setImmediate();
    assert.equal(missed, 2);
  });
});
