import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '@house/tests/harness/database.ts';
import type { Actor } from '../actor.ts';
import { isRefusal } from '../refuse.ts';
import { createPool } from './pool.ts';
import { runStatement } from './statements.ts';
import { createDatabase, type Database, insideTransaction } from './tx.ts';

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
    const [left] = await narrow.call<{ role: string; partner: string }>({
      text: `select current_setting('role') as role, current_setting('app.partner_id', true) as partner`,
    });
    assert.deepEqual(left, { role: 'none', partner: '' });
    await assert.rejects(narrow.call({ text: 'select * from partner' }), /permission denied/);
    await single.end();
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
      await runStatement(tx, { text: 'select 1/0' }).catch(() => undefined);
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

  it('takes BEGIN, scope, statement and COMMIT, and nothing more', async () => {
    const kinds: string[] = [];
    const stop = db.onStatement((statement) => kinds.push(statement.kind));
    await db.asTenant(actorOf(acme), (tx) => runStatement(tx, { name: 'one', text: 'select 1 as some_value' }));
    stop();
    assert.deepEqual(kinds, ['control', 'enter', 'query', 'control']);
  });
});

describe('the session check of a transaction', () => {
  it('admits a standing session', async () => {
    await db.asTenant(actorOf(rival), async () => undefined);
    await db.asStaff(actorOf(rival), async () => undefined);
  });

  it('refuses a session older than the moment sessions were ended', async () => {
    const old = actorOf(rival, { issuedAt: new Date(Date.now() - 3_600_000) });
    await assert.rejects(
      db.asTenant(old, async () => undefined),
      (error) => isRefusal(error, 'unauthenticated'),
    );
  });

  it('refuses a token whose partner is not the user\u2019s own', async () => {
    const forged = actorOf(rival, { partnerId: acme.partnerId });
    await assert.rejects(
      db.asTenant(forged, async () => undefined),
      (error) => isRefusal(error, 'unauthenticated'),
    );
  });

  it('refuses a suspended account except where the use-case answers for suspended ones', async () => {
    const setStatus = (status: string): Promise<unknown> =>
      db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', rival.partnerId).execute());
    await setStatus('suspended');
    await assert.rejects(
      db.asTenant(actorOf(rival), async () => undefined),
      (error) => isRefusal(error, 'account_suspended'),
    );
    await db.asTenant(actorOf(rival), async () => undefined, { whileSuspended: true });
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
