import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { exposeDatabase } from '@partner-portal/tests/harness/vault.ts';
import { createPool } from '#platform/db/pool.ts';
import { createDatabase } from '#platform/db/tx.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createTenantSql, type SqlProblem, type SqlRows } from './tenant-sql.ts';

let database: TestDatabase;
let exposed: Awaited<ReturnType<typeof exposeDatabase>>;
const guard = createSafeFetch({ allowedHosts: ['127.0.0.1'] });
const sql = createTenantSql(guard);
/** Two partners. */
const ACME = 'acme';
const RIVAL = 'rival';
/** The time is a net: a busy machine may take its own for a thread, a connection and an answer. */
const bounds = { rowsMax: 5, timeoutMs: 60_000 };

before(async () => {
  database = await createTestDatabase();
  exposed = await exposeDatabase(database.host.adminConfig);
  const admin = new pg.Client({ ...database.host.adminConfig, database: database.name });
  await admin.connect();
  await admin.query('create table sale (id int, at timestamptz, total numeric, note text)');
  await admin.query(
    "insert into sale select n, '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 hour', n * 1.5, 'sale ' || n from generate_series(1, 10) n",
  );
  await admin.end();
});

after(async () => {
  exposed.close();
  await guard.close();
  await database.drop();
});

function address(overrides: object = {}) {
  const { host, port } = exposed;
  return {
    host,
    port,
    database: database.name,
    user: database.host.adminConfig.user,
    password: 'a-secret-password',
    ssl: false,
    ...overrides,
  };
}

function read(text: string, params: (string | number)[] = [], overrides: object = {}): Promise<SqlRows | SqlProblem> {
  return sql.query(ACME, address(overrides), text, params, bounds);
}

async function problemOf(text: string, overrides: object = {}): Promise<SqlProblem> {
  const answer = await read(text, [], overrides);
  assert.ok(!answer.ok, `"${text}" was answered`);
  return answer;
}

describe('reading a database of a customer', () => {
  it('answers columns and rows as JSON', async () => {
    const answer = await read('select id, at, total, note from sale where id <= $1 order by id', [2]);
    assert.deepEqual(answer, {
      ok: true,
      columns: ['id', 'at', 'total', 'note'],
      rows: [
        { id: 1, at: '2026-01-01T01:00:00.000Z', total: 1.5, note: 'sale 1' },
        { id: 2, at: '2026-01-01T02:00:00.000Z', total: 3, note: 'sale 2' },
      ],
      truncated: false,
    });
  });

  it('keeps what JSON numbers cannot hold, and every column of the same name', async () => {
    const answer = await read(
      `select 9007199254740993 as big, count(*) as few, 12345678901234567890.5 as exact, 'NaN'::float8 as nan, date '2026-01-02' as day,
        timestamp '2026-01-02 03:04:05' as wall, '{"a": [1]}'::jsonb as doc, '\\x00ff'::bytea as bytes, true as yes, null as none, array[1,2] as list, 1 as a, 2 as a from sale`,
    );
    assert.deepEqual(answer.ok && answer.rows, [
      {
        big: '9007199254740993',
        few: 10,
        exact: '12345678901234567890.5',
        nan: 'NaN',
        day: '2026-01-02',
        wall: '2026-01-02T03:04:05',
        doc: { a: [1] },
        bytes: 'AP8=',
        yes: true,
        none: null,
        list: '{1,2}',
        a: 1,
        a_2: 2,
      },
    ]);
  });

  it('stops after the rows that are wanted and says so', async () => {
    const answer = await read('select id from sale order by id; -- the end');
    assert.deepEqual(answer.ok && [answer.rows.length, answer.truncated], [5, true]);
    const exact = await read('select id from sale order by id limit 5');
    assert.deepEqual(exact.ok && [exact.rows.length, exact.truncated], [5, false]);
  });

  it('does not read a result without end', async () => {
    const answer = await read('select a.id from sale a, sale b, sale c, sale d, sale e, sale f, sale g, sale h, sale i, sale j, sale k');
    assert.deepEqual(answer.ok && [answer.rows.length, answer.truncated], [5, true]);
  });

  it('gives a query that takes too long back', async () => {
    const answer = await sql.query(ACME, address(), 'select pg_sleep(60)', [], { rowsMax: 5, timeoutMs: 50 });
    assert.ok(!answer.ok);
    assert.equal(answer.reason, 'timeout');
    assert.match(answer.message, /took longer/);
  });

  it('cuts an answer that is too large', async () => {
    const answer = await problemOf("select repeat('x', 50000000) as wide");
    assert.match(answer.message, /too large/);
  });
});

describe('a query that would change something', () => {
  const refused = [
    'delete from sale',
    'insert into sale (id) values (99)',
    'select 1; delete from sale',
    'select 1; commit; delete from sale',
    'with gone as (delete from sale returning id) select * from gone',
    'select id from sale for update',
    "select set_config('transaction_read_only', 'off', true), nextval('one')",
    'drop table sale',
    "copy sale to program 'true'",
    'commit',
    '',
  ];
  for (const text of refused) {
    it(`is refused: ${text || '(empty)'}`, async () => {
      const answer = await problemOf(text);
      assert.equal(answer.reason, 'query');
      const left = await read('select count(*) as n from sale');
      assert.deepEqual(left.ok && left.rows, [{ n: 10 }]);
    });
  }

  it('cannot leave the read-only transaction by a setting', async () => {
    const answer = await problemOf("select set_config('transaction_read_only', 'off', true)");
    assert.match(answer.message, /read-write mode/);
  });
});

describe('what a refusal tells', () => {
  it('is the words of the database for a query', async () => {
    assert.deepEqual(await problemOf('select nothing_here from sale'), {
      ok: false,
      reason: 'query',
      message: 'column "nothing_here" does not exist',
    });
  });

  it('never is a host or a password', async () => {
    const answer = await problemOf("select cast('a-secret-password at 127.0.0.1' as int)");
    assert.doesNotMatch(answer.message, /a-secret-password|127\.0\.0\.1/);
  });

  it('is in our words for a connection', async () => {
    assert.match((await problemOf('select 1', { database: 'absent' })).message, /no database of this name/);
    assert.match((await problemOf('select 1', { user: 'nobody_here' })).message, /refused the user or the password/);
    assert.match((await problemOf('select 1', { ssl: true })).message, /encrypted/);
    const { port, server } = await silentServer();
    server.close();
    await once(server, 'close');
    assert.deepEqual(await problemOf('select 1', { port }), {
      ok: false,
      reason: 'unreachable',
      message: 'The database could not be reached.',
    });
  });
});

describe('a server that breaks the protocol', () => {
  // A malformed first answer of a server: type, length, and fewer bytes than the type promises.
  const broken: readonly (readonly [what: string, bytes: string])[] = [
    ['an answer to the sign-in without a word of it', '5200000004'],
    ['a way to sign in that nobody knows', '520000000800000063'],
    ['a row of three thousand values without one', '52000000080000000044000000060bb8'],
    ['columns that are not there', '52000000080000000054000000060bb8'],
    ['an error that never ends', '4500000004'],
  ];
  for (const [what, bytes] of broken) {
    it(`is read no further, and no other read is lost: ${what}`, async () => {
      const { port, server } = await silentServer();
      server.on('connection', (socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(Buffer.from(bytes, 'hex')));
      });
      const [answer, other] = await Promise.all([problemOf('select 1', { port }), read('select 1 as one')]);
      server.close();
      assert.deepEqual(answer, { ok: false, reason: 'unreachable', message: 'The response of the database could not be read.' });
      assert.deepEqual(other.ok && other.rows, [{ one: 1 }]);
    });
  }
});

describe('databases that never answer', () => {
  const HOSTS = Array.from({ length: 13 }, (_, at) => `127.0.0.${at + 2}`);
  const both = createSafeFetch({ allowedHosts: ['127.0.0.1', ...HOSTS] });
  let port: number;
  let sockets: Socket[];
  let silent: Server;
  /** Resolves when this many connections are open. */
  let connected: (count: number) => Promise<void>;
  before(async () => {
    sockets = [];
    silent = createServer().listen(0, '0.0.0.0');
    await once(silent, 'listening');
    ({ port } = silent.address() as AddressInfo); // listening on TCP
    silent.on('connection', (socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
      silent.emit('another');
    });
    connected = async (count) => {
      while (sockets.length < count) await once(silent, 'another');
    };
  });
  const hangUp = (): void => sockets.splice(0).forEach((socket) => socket.destroy());
  after(async () => {
    silent.close();
    await both.close();
  });
  /** Nothing but the test ends these reads. */
  const patient = () => createTenantSql(both, { waitMs: 3_600_000, connectMs: 3_600_000 });
  const ask = (sharing: ReturnType<typeof patient>, partnerId: string, host: string) =>
    sharing.query(partnerId, address({ host, port }), 'select 1', [], bounds);
  const endAll = async (reads: Promise<unknown>[]): Promise<void> => {
    let isOver = false;
    const over = Promise.all(reads).then(() => {
      isOver = true;
      silent.emit('another');
    });
    while (!isOver) {
      hangUp();
      await once(silent, 'another');
    }
    await over;
  };

  it('hold half of the threads for one partner, and no read of another waits for them', async () => {
    const sharing = patient();
    const reads = HOSTS.map((host) => ask(sharing, ACME, host));
    await connected(8);
    const other = await sharing.query(RIVAL, address(), 'select 1 as one', [], bounds);
    assert.deepEqual(other.ok && other.rows, [{ one: 1 }]);
    assert.equal(sockets.length, 8, 'the rest of the first partner waits');
    // Several partners: each leaves a thread for the next.
    const more = ['b', 'c'].flatMap((partnerId) => HOSTS.slice(0, 5).map((host) => ask(sharing, partnerId, host)));
    await connected(8 + 4 + 2);
    const last = await sharing.query(RIVAL, address(), 'select 2 as two', [], bounds);
    assert.deepEqual(last.ok && last.rows, [{ two: 2 }]);
    await endAll([...reads, ...more]);
  });

  it('hold four threads of a partner for each address, and no other database of it waits for them', async () => {
    const sharing = patient();
    const reads = Array.from({ length: 6 }, () => ask(sharing, ACME, '127.0.0.2'));
    await connected(4);
    const other = await sharing.query(ACME, address(), 'select 1 as one', [], bounds);
    assert.deepEqual(other.ok && other.rows, [{ one: 1 }]);
    assert.equal(sockets.length, 4);
    await endAll(reads);
  });

  it('fill half of the queue for one partner, and those of another still find a place', async () => {
    const sharing = createTenantSql(both, { waitMs: 3_600_000, connectMs: 3_600_000, waitingMax: 4 });
    const reads = Array.from({ length: 4 + 2 }, () => ask(sharing, ACME, '127.0.0.2'));
    const refused = await ask(sharing, ACME, '127.0.0.2');
    assert.match(refused.ok ? '' : refused.message, /Too many database reads/);
    const others = Array.from({ length: 4 + 1 }, () => ask(sharing, RIVAL, '127.0.0.2'));
    await connected(8);
    await endAll([...reads, ...others]);
  });

  it('end the wait of a read in time, and it is not made then', async () => {
    const impatient = createTenantSql(both, { waitMs: 1, connectMs: 3_600_000 });
    const reads = Array.from({ length: 4 }, () => ask(impatient, ACME, '127.0.0.2'));
    const answer = await ask(impatient, ACME, '127.0.0.2');
    assert.match(answer.ok ? '' : answer.message, /Too many database reads/);
    await connected(4);
    await endAll(reads);
    const next = await impatient.query(ACME, address(), 'select 1 as one', [], bounds);
    assert.deepEqual([next.ok && next.rows, sockets.length], [[{ one: 1 }], 0]);
  });
});

describe('the address of a customer database', () => {
  const strict = createSafeFetch({
    allowedHosts: [],
    lookup: async (host) =>
      host === 'mixed.example.com'
        ? [
            { address: '93.184.216.34', family: 4 },
            { address: '10.0.0.1', family: 4 },
          ]
        : [],
  });
  const guarded = createTenantSql(strict);
  after(() => strict.close());

  for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'mixed.example.com']) {
    it(`${host} is refused without connecting`, async () => {
      const checked = await guarded.checkAddress(host, 5432);
      assert.equal(!checked.ok && checked.reason, 'private_address');
      const answer = await guarded.query(ACME, address({ host }), 'select 1', [], bounds);
      assert.equal(!answer.ok && answer.reason, 'private_address');
    });
  }

  it('is refused as unknown when its name leads nowhere', async () => {
    const checked = await guarded.checkAddress('nowhere.example.com', 5432);
    assert.equal(!checked.ok && checked.reason, 'unreachable');
  });

  it('is accepted when it is public', async () => {
    assert.deepEqual(await guarded.checkAddress('93.184.216.34', 5432), { ok: true });
  });

  it('is never called inside a transaction of ours', async () => {
    const pool = createPool(database.configFor('portal_service'), { name: 'test', max: 1 });
    await assert.rejects(
      createDatabase(pool).asSystem('seed', () => read('select 1')),
      /inside a transaction/,
    );
    await pool.end();
  });
});

async function silentServer(): Promise<{ port: number; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server }; // listening on TCP
}
