import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import type { Actor } from '../actor.ts';
import { isRefusal } from '../refuse.ts';
import { notifyAfterCommit } from './commit-topics.ts';
import { createPool } from './pool.ts';
import { withClient } from './roles.ts';
import { adHoc } from '@partner-portal/tests/harness/ad-hoc.ts';
import { runStatement } from './statements.ts';
import { createDatabase, type Database, insideTransaction, type Tx } from './tx.ts';

let test: TestDatabase;
let pool: pg.Pool;
let db: Database;
const acme = { partnerId: uuidv7(), userId: uuidv7() };
const rival = { partnerId: uuidv7(), userId: uuidv7() };

function actorOf(who: typeof acme, overrides: Partial<Actor> = {}): Actor {
  return {
    kind: 'user',
    ...who,
    email: `${who.userId}@example.com`,
    role: 'PARTNER',
    partnerRole: 'admin',
    clientId: null,
    authMethod: 'password',
    jti: uuidv7(),
    issuedAt: new Date(Date.now() + 1_000),
    expiresAt: new Date(Date.now() + 86_400_000),
    readOnly: false,
    actingUserId: null,
    whileSuspended: false,
    ...overrides,
  };
}

before(async () => {
  test = await createTestDatabase();
  pool = createPool(test.configFor('portal_service'), { name: 'test', max: 4 });
  db = createDatabase(pool);
  await db.asSystem('seed', async (tx) => {
    for (const [slug, who] of Object.entries({ acme, rival })) {
      await tx.insertInto('partner').values({ id: who.partnerId, name: slug, slug }).execute();
      const email = `${who.userId}@example.com`;
      await tx
        .insertInto('appUser')
        .values({ id: who.userId, email, partnerId: who.partnerId, role: 'PARTNER', partnerRole: 'admin' })
        .execute();
    }
  });
});

after(async () => {
  await pool.end();
  await test.drop();
});

describe('a connection that breaks', () => {
  it('between two statements fails the transaction, and the process lives on', async () => {
    const broken = db.asSystem('seed', async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await withClient(test.host.adminConfig, async (admin) => {
        await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        const isThere = async () => (await admin.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount !== 0;
        while (await isThere());
      });
      // The server's last word has come by the time a later call is answered.
      await db.isUp(60_000);
      await sql`select 1`.execute(tx);
    });
    await assert.rejects(broken);
    assert.equal(await db.isUp(60_000), true);
  });
});

describe('a statement that comes again and again', () => {
  type Prepared = { name: string; plans: number };
  const FIND = `select name, (generic_plans + custom_plans)::int as plans from pg_prepared_statements where statement like '%again%' order by name`;
  const own = async (work: (db: Database, find: () => Promise<Prepared[]>) => Promise<void>): Promise<void> => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    try {
      await work(
        narrow,
        () => narrow.call(adHoc({ text: FIND.replace('%again%', '%"slug" as "again"%') })) as Promise<unknown> as Promise<Prepared[]>,
      );
    } finally {
      await single.end();
    }
  };
  const read = (tx: Tx) => tx.selectFrom('partner').select('slug as again').orderBy('slug').execute();

  it('is prepared by the server, once for each role, and each role sees what is its own', () =>
    own(async (narrow, find) => {
      const told: (string | undefined)[] = [];
      narrow.onStatement(({ name, text }) => void (text.includes('"slug" as "again"') && told.push(name)));
      const everybody = await db.asSystem('seed', read);
      for (let turn = 0; turn < 8; turn += 1) {
        assert.deepEqual(await narrow.asTenant(actorOf(acme), read), [{ again: 'acme' }]);
        assert.deepEqual(await narrow.asSystem('seed', read), everybody);
        assert.deepEqual(await narrow.asTenant(actorOf(rival), read), [{ again: 'rival' }]);
      }
      assert.ok(everybody.length > 2);
      const prepared = await find();
      assert.deepEqual(
        prepared.map(({ plans }) => plans),
        [15, 7],
      );
      const names = prepared.map(({ name }) => name);
      assert.equal(names[1], `${names[0]}.all`);
      assert.deepEqual(told.slice(0, 4), [undefined, undefined, names[0], names[0]]);
    }));

  it('has a name of its own in each role when it was named by hand, too', () =>
    own(async (narrow, find) => {
      const byHand = (tx: Tx) => runStatement(tx, adHoc({ name: 'by_hand', text: 'select p."slug" as "again" from partner p order by 1' }));
      assert.deepEqual(await narrow.asTenant(actorOf(acme), byHand), [{ again: 'acme' }]);
      assert.ok((await narrow.asSystem('seed', byHand)).length > 2);
      assert.deepEqual(await find(), [
        { name: 'by_hand', plans: 1 },
        { name: 'by_hand.all', plans: 1 },
      ]);
    }));

  it('fails once when a migration gave it other columns, and never again', () =>
    own(async (narrow) => {
      const migrate = (text: string) => withClient({ ...test.host.adminConfig, database: test.name }, (admin) => admin.query(text));
      const address = (tx: Tx) => tx.selectFrom('partner').select('supportEmail').where('id', '=', acme.partnerId).execute();
      const byBuilder = () => narrow.asTenant(actorOf(acme), address);
      const byCall = () => narrow.call(adHoc({ name: 'called', text: 'select * from again()' }));
      await migrate('create function again() returns table (one int) language sql as $$ select 1 $$');
      for (let turn = 0; turn < 4; turn += 1) await byBuilder();
      await byCall();
      await migrate('alter table partner alter column support_email type varchar(400)');
      await assert.rejects(byBuilder(), /cached plan must not change result type/);
      assert.equal((await byBuilder()).length, 1);
      await byCall();
      await migrate('drop function again; create function again() returns table (one int, two int) language sql as $$ select 1, 2 $$');
      await assert.rejects(byCall(), /cached plan must not change result type/);
      assert.deepEqual(await byCall(), [{ one: 1, two: 2 }]);
    }));
});

describe('a refused call', () => {
  it('leaves its connection, and what is planned on it, in place', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    const pid = () => narrow.call(adHoc({ text: 'select pg_backend_pid() as pid' }));
    const before = await pid();
    await assert.rejects(narrow.call(adHoc({ text: 'select 1/0' })), /division by zero/);
    const old = actorOf(rival, { issuedAt: new Date(Date.now() - 3_600_000) });
    await assert.rejects(narrow.assertSession(old), (error) => isRefusal(error, 'unauthenticated'));
    assert.deepEqual(await pid(), before);
    await single.end();
  });

  it('is given another connection when its own broke', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    await assert.rejects(narrow.call(adHoc({ text: 'select pg_terminate_backend(pg_backend_pid())' })));
    assert.deepEqual(await narrow.call(adHoc({ text: 'select 1 as one' })), [{ one: 1 }]);
    await single.end();
  });
});

describe('news of a commit', () => {
  it('are told after it, once, and never when it fails', async () => {
    const heard: string[] = [];
    const stop = db.onCommitted('news', () => heard.push('heard'));
    await db.asSystem('seed', async (tx) => {
      notifyAfterCommit(tx, 'news');
      notifyAfterCommit(tx, 'news');
      notifyAfterCommit(tx, 'other');
      assert.deepEqual(heard, []);
    });
    assert.deepEqual(heard, ['heard']);
    const failing = db.asSystem('seed', async (tx) => {
      notifyAfterCommit(tx, 'news');
      throw new Error('no');
    });
    await assert.rejects(failing);
    stop();
    await db.asSystem('seed', async (tx) => notifyAfterCommit(tx, 'news'));
    assert.deepEqual(heard, ['heard']);
  });
});

describe('a tenant transaction', () => {
  it('sees the rows of its own partner and none of another', async () => {
    const seen = await db.asTenant(actorOf(acme), (tx) => tx.selectFrom('partner').select(['id', 'createdAt']).execute());
    assert.deepEqual(
      seen.map((row) => row.id),
      [acme.partnerId],
    );
    assert.ok(seen[0]?.createdAt instanceof Date);
  });

  it('leaves nothing of its scope on the pooled connection', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    await narrow.asTenant(actorOf(acme), async () => undefined);
    const [left] = await narrow.call(
      adHoc({
        text: `select current_setting('role') as role, current_setting('app.partner_id', true) as partner`,
      }),
    );
    assert.deepEqual(left, { role: 'none', partner: '' });
    await assert.rejects(narrow.call(adHoc({ text: 'select * from partner' })), /permission denied/);
    await single.end();
  });

  it('takes no statement once it has ended, so a late one never runs in the next transaction of its connection', async () => {
    const one = createPool(test.configFor('portal_service'), { name: 'one', max: 1 });
    const narrow = createDatabase(one);
    try {
      for (const isFailing of [true, false]) {
        const kept: { tx?: Tx } = {};
        const first = narrow.asTenant(actorOf(acme), async (tx) => {
          kept.tx = tx;
          await runStatement(tx, adHoc({ text: 'select 1 as one' }));
          if (isFailing) throw new Error('one of several statements failed');
        });
        await first.catch(() => undefined);
        const { tx: late } = kept;
        assert.ok(late);
        await narrow.asTenant(actorOf(rival), async (tx) => {
          await runStatement(tx, adHoc({ text: 'select 1 as one' }));
          for (const statement of [() => runStatement(late, adHoc({ text: 'select 1 as one' })), () => sql`select 1`.execute(late)])
            await assert.rejects(statement, /The transaction has ended/);
        });
      }
      const snapshot: { tx?: Tx } = {};
      const scope = { kind: 'tenant', partnerId: acme.partnerId, clientId: null } as const;
      await narrow.asTenantSnapshot(scope, async (tx) => void (snapshot.tx = tx), new AbortController().signal);
      await narrow.asTenant(actorOf(rival), async () => {
        assert.ok(snapshot.tx);
        await assert.rejects(runStatement(snapshot.tx, adHoc({ text: 'select 1 as one' })), /The transaction has ended/);
      });
    } finally {
      await one.end();
    }
  });

  it('keeps its writes when it resolves and drops them when it throws', async () => {
    const rename = (name: string, fail: boolean): Promise<void> =>
      db.asSystem('seed', async (tx) => {
        await tx.updateTable('partner').set({ name }).where('id', '=', acme.partnerId).execute();
        if (fail) throw new Error('changed my mind');
      });
    await rename('kept', false);
    await assert.rejects(rename('dropped', true), /changed my mind/);
    const [row] = await db.asSystem('seed', (tx) => tx.selectFrom('partner').select('name').where('id', '=', acme.partnerId).execute());
    assert.equal(row?.name, 'kept');
  });

  it('reports a swallowed statement error instead of pretending to have committed', async () => {
    const swallow = db.asSystem('seed', async (tx) => {
      await runStatement(tx, adHoc({ text: 'select 1/0' })).catch(() => undefined);
    });
    await assert.rejects(swallow, /rolled back/);
  });

  it('refuses to open inside another one, by either door', async () => {
    const nested = db.asSystem('seed', () => db.asSystem('seed', async () => undefined));
    await assert.rejects(nested, /inside another/);
    const byBuilder = db.asSystem('seed', (tx) => tx.transaction().execute(async () => undefined));
    await assert.rejects(byBuilder, /inside another/);
  });

  it('is known to be open only within its own calls', async () => {
    assert.equal(insideTransaction(), false);
    await db.asSystem('seed', async () => assert.equal(insideTransaction(), true));
    assert.equal(insideTransaction(), false);
  });

  it('sends BEGIN, scope and first statement at once, whoever writes that, and COMMIT behind the answer', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    const sent: number[] = [];
    single.on('connect', (client: pg.PoolClient) => {
      const { stream } = client.connection;
      const [write, writeMany] = [stream._write.bind(stream), stream._writev?.bind(stream)];
      stream._write = (chunk, encoding, done) => {
        sent.push(1);
        write(chunk, encoding, done);
      };
      stream._writev = (chunks, done) => {
        sent.push(chunks.length);
        writeMany?.(chunks, done);
      };
    });
    await narrow.isUp(60_000);
    const byHand = (tx: Tx) => runStatement(tx, adHoc({ name: 'one', text: 'select 1 as some_value' }));
    const byBuilder = (tx: Tx) => tx.selectFrom('partner').select('id').execute();
    for (const work of [byHand, byBuilder]) {
      sent.length = 0;
      await narrow.asTenant(actorOf(acme), work);
      assert.deepEqual([sent.length, sent[1]], [2, 1]);
    }
    await single.end();
  });

  it('that reads at once sends all of it in one round trip, and takes no statement after it', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    let flushes = 0;
    single.on('connect', ({ connection: { stream } }: pg.PoolClient) => {
      const [write, writeMany] = [stream._write.bind(stream), stream._writev?.bind(stream)];
      stream._write = (...given) => ((flushes += 1), write(...given));
      stream._writev = (...given) => ((flushes += 1), writeMany?.(...given));
    });
    await narrow.isUp(60_000);
    const byHand = (tx: Tx) => runStatement(tx, adHoc({ name: 'one', text: 'select 1 as some_value' }));
    const byBuilder = (tx: Tx) => tx.selectFrom('partner').select('id').execute();
    const works = [byHand, byBuilder, (tx: Tx) => Promise.all([byHand(tx), byBuilder(tx)])];
    for (const work of works) {
      flushes = 0;
      assert.notDeepEqual(await narrow.readAsTenant(actorOf(acme), work), []);
      assert.equal(flushes, 1);
    }
    for (const later of [byHand, byBuilder])
      await assert.rejects(
        narrow.readAsTenant(actorOf(acme), async (tx) => (await byHand(tx), later(tx))),
        /takes no more statements/,
      );
    assert.deepEqual(await narrow.readAsTenant(actorOf(rival), byBuilder), [{ id: rival.partnerId }]);
    await single.end();
  });

  it('that reads at once fails with the refusal of its session or the error of its statement, and leaves the connection usable', async () => {
    const single = createPool(test.configFor('portal_service'), { name: 'single', max: 1 });
    const narrow = createDatabase(single);
    const statement = (text: string) => (tx: Tx) => runStatement(tx, adHoc({ text }));
    const old = actorOf(rival, { issuedAt: new Date(Date.now() - 3_600_000) });
    await assert.rejects(narrow.readAsTenant(old, statement('select 1')), (error) => isRefusal(error, 'unauthenticated'));
    await assert.rejects(narrow.readAsTenant(actorOf(rival), statement('select 1/0')), /division by zero/);
    await assert.rejects(
      narrow.readAsTenant(actorOf(rival), async (tx) => void statement('select 1/0')(tx).catch(() => undefined)),
      /rolled back/,
    );
    await assert.rejects(
      narrow.readAsTenant(actorOf(rival), () => {
        throw new Error('before any statement');
      }),
      /before any statement/,
    );
    assert.equal(insideTransaction(), false);
    assert.equal((await narrow.readAsTenant(actorOf(rival), statement('select 1 as one'))).length, 1);
    await single.end();
  });

  it('takes BEGIN, scope, statement and COMMIT, and nothing more', async () => {
    const kinds: string[] = [];
    const stop = db.onStatement((statement) => kinds.push(statement.kind));
    await db.asTenant(actorOf(acme), (tx) => runStatement(tx, adHoc({ name: 'one', text: 'select 1 as some_value' })));
    stop();
    assert.deepEqual(kinds, ['control', 'enter', 'query', 'control']);
  });
});

describe('the session check of a transaction', () => {
  it('admits a standing session', async () => {
    await db.asTenant(actorOf(rival), async () => undefined);
    await db.asStaff(actorOf(rival, { role: 'ADMIN' }), async () => undefined);
  });

  it('opens all tenants to staff only', async () => {
    let isOpen = false;
    await assert.rejects(
      db.asStaff(actorOf(rival), async () => void (isOpen = true)),
      /for the role PARTNER/,
    );
    assert.equal(isOpen, false);
  });

  it('refuses a session older than the moment sessions were ended', async () => {
    const old = actorOf(rival, { issuedAt: new Date(Date.now() - 3_600_000) });
    await assert.rejects(
      db.asTenant(old, async () => undefined),
      (error) => isRefusal(error, 'unauthenticated'),
    );
  });

  it('keeps what was sent behind a refusal from being done, and tells the refusal whatever becomes of it', async () => {
    const old = actorOf(rival, { issuedAt: new Date(Date.now() - 3_600_000) });
    const rename = (tx: Tx) => tx.updateTable('partner').set({ name: 'not theirs any more' }).where('id', '=', rival.partnerId).execute();
    const ways: ((tx: Tx) => Promise<unknown>)[] = [
      rename,
      (tx) => rename(tx).catch(() => undefined),
      async (tx) => {
        await rename(tx).catch(() => undefined);
        throw new Error('something else');
      },
      async () => {
        throw new Error('before anything');
      },
    ];
    const readName = () =>
      db.asSystem('seed', (tx) => tx.selectFrom('partner').select('name').where('id', '=', rival.partnerId).executeTakeFirst());
    for (const way of ways) {
      await assert.rejects(db.asTenant(old, way), (error) => isRefusal(error, 'unauthenticated'));
      await assert.rejects(db.asStaff({ ...old, role: 'ADMIN' }, way), (error) => isRefusal(error, 'unauthenticated'));
      assert.deepEqual(await readName(), { name: 'rival' });
    }
    await db.asTenant(actorOf(rival), async (tx) => assert.equal((await tx.selectFrom('partner').select('name').execute()).length, 1));
  });

  it('refuses a token whose partner is not the user\u2019s own', async () => {
    const forged = actorOf(rival, { partnerId: acme.partnerId });
    await assert.rejects(
      db.asTenant(forged, async () => undefined),
      (error) => isRefusal(error, 'unauthenticated'),
    );
  });

  it('refuses a suspended account except on a route that answers for suspended ones', async () => {
    const setStatus = (status: string): Promise<unknown> =>
      db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', rival.partnerId).execute());
    await setStatus('suspended');
    await assert.rejects(
      db.asTenant(actorOf(rival), async () => undefined),
      (error) => isRefusal(error, 'account_suspended'),
    );
    await db.asTenant(actorOf(rival, { whileSuspended: true }), async () => undefined);
    await setStatus('active');
  });

  it('refuses a disabled user', async () => {
    const setStatus = (status: string): Promise<unknown> =>
      db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ status }).where('id', '=', rival.userId).execute());
    await setStatus('disabled');
    await assert.rejects(
      db.asTenant(actorOf(rival), async () => undefined),
      (error) => isRefusal(error, 'user_disabled'),
    );
    await setStatus('active');
  });
});
