import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import type pg from 'pg';
import { createPool } from './db/pool.ts';
import { createDatabase, type Database, type Tx } from './db/tx.ts';
import { createFacts, defineFact, type Facts, recordFact, recordFacts, when } from './facts.ts';

const saved = defineFact<{ n: number }>('test_row.saved');
const ignored = defineFact<{ n: number }>('test_row.ignored');

let database: TestDatabase;
let pool: pg.Pool;
let facts: Facts;
let db: Database;
const calls: string[] = [];
let isFailing = false;

const KEY = 'facts.test';
const write = (tx: Tx, n: number) => sql`select enqueue_job(${`${KEY}.${n}`}, '{}'::json, null::timestamptz, null, null, null)`.execute(tx);
async function stored(): Promise<number> {
  const rows = await database.query<{ count: number }>(
    'select count(*)::int as count from graphile_worker.jobs where task_identifier like $1',
    [`${KEY}%`],
  );
  return rows[0]?.count ?? 0;
}

before(async () => {
  database = await createTestDatabase();
  pool = createPool(database.configFor('portal_service'), { name: 'facts test', max: 2 });
  facts = createFacts();
  db = createDatabase(pool, facts);
  facts.register([
    when(
      saved,
      async (tx, payloads) => {
        calls.push(`first ${payloads.map(({ n }) => n).join()}`);
        for (const { n } of payloads) await write(tx, n);
      },
      async (_tx, payloads) => {
        calls.push(`second ${payloads.map(({ n }) => n).join()}`);
        if (isFailing) throw new Error('The second handler failed.');
      },
    ),
    when(ignored),
  ]);
});
after(async () => {
  await pool.end();
  await database.drop();
});

describe('a recorded fact', () => {
  it('runs its handlers in the order in which they are listed, each once for a whole batch', async () => {
    calls.length = 0;
    await db.asSystem('sweep', (tx) => recordFacts(tx, saved, [{ n: 1 }, { n: 2 }]));
    assert.deepEqual(calls, ['first 1,2', 'second 1,2']);
    assert.equal(await stored(), 2);
  });

  it('commits with its cause or not at all', async () => {
    const before = await stored();
    await assert.rejects(
      db.asSystem('sweep', async (tx) => {
        await recordFact(tx, saved, { n: 3 });
        throw new Error('The use-case failed afterwards.');
      }),
      /failed afterwards/,
    );
    isFailing = true;
    await assert.rejects(
      db.asSystem('sweep', async (tx) => {
        await write(tx, 4);
        await recordFact(tx, saved, { n: 5 });
      }),
      /second handler failed/,
    );
    isFailing = false;
    assert.equal(await stored(), before);
  });

  it('sends no statement when nothing follows from it or there is none to record', async () => {
    const count = async (work: (tx: Tx) => Promise<void>): Promise<number> => {
      let statements = 0;
      const stop = db.onStatement(({ kind }) => void (statements += kind === 'query' ? 1 : 0));
      await db.asSystem('sweep', work);
      stop();
      return statements;
    };
    assert.equal(await count((tx) => recordFact(tx, ignored, { n: 1 })), 0);
    assert.equal(await count((tx) => recordFacts(tx, saved, [])), 0);
  });
});

describe('the boot', () => {
  it('fails when a defined fact is not listed, is listed twice, or a listed one was never defined', () => {
    assert.throws(() => createFacts().register([when(saved)]), /No consequences are listed for test_row\.ignored/);
    assert.throws(() => createFacts().register([when(saved), when(ignored), when(saved)]), /test_row\.saved is listed twice/);
    assert.throws(
      () => createFacts().register([when(saved), when(ignored), when({ name: 'test_row.unknown' })]),
      /test_row\.unknown was never defined/,
    );
    assert.throws(() => defineFact('test_row.saved'), /defined twice/);
    assert.throws(() => facts.register([when(saved), when(ignored)]), /registered once/);
  });

  it('comes before the first fact: one recorded earlier, or in a database without consequences, is refused', async () => {
    const early = createDatabase(pool, createFacts());
    await assert.rejects(
      early.asSystem('sweep', (tx) => recordFact(tx, saved, { n: 6 })),
      /before consequences were registered/,
    );
    const bare = createDatabase(pool);
    await assert.rejects(
      bare.asSystem('sweep', (tx) => recordFact(tx, saved, { n: 7 })),
      /without consequences/,
    );
  });
});
