import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createPool } from './db/pool.ts';
import { createDatabase } from './db/tx.ts';
import { createKeptAnswers } from './kept-answers.ts';

/** Reads as often as it is called, and returns that number in its rows. */
function counting(rows: number): { read: () => Promise<string[]>; reads: () => number } {
  let reads = 0;
  return {
    read: async () => {
      reads += 1;
      return Array.from({ length: rows }, (_, index) => `${reads} ${index}`);
    },
    reads: () => reads,
  };
}

const isLarge = (rows: readonly string[]): boolean => rows.length >= 3;

it('a large answer is kept for a minute, each for its own question', async () => {
  let now = 1_000;
  const keep = createKeptAnswers({ now: () => new Date(now) }, isLarge);
  const { read, reads } = counting(3);
  const first = await keep('agent', read);
  now += 59_999;
  assert.deepEqual(await keep('agent', read), first);
  assert.notDeepEqual(await keep('client', read), first);
  assert.equal(reads(), 2);
  now += 2;
  assert.notDeepEqual(await keep('agent', read), first);
  assert.equal(reads(), 3);
});

it('any other answer is read each time', async () => {
  const keep = createKeptAnswers({ now: () => new Date(1_000) }, isLarge);
  const { read, reads } = counting(2);
  await keep('agent', read);
  await keep('agent', read);
  assert.equal(reads(), 2);
});

/** Reads that end when they are answered, in turn. */
function pending(): { read: () => Promise<string[]>; started: () => number; answer: (with_: string[] | Error) => Promise<void> } {
  const waiting: PromiseWithResolvers<string[]>[] = [];
  let started = 0;
  return {
    read: () => {
      started += 1;
      const one = Promise.withResolvers<string[]>();
      waiting.push(one);
      return one.promise;
    },
    started: () => started,
    answer: async (with_) => {
      const one = waiting.shift();
      assert.ok(one);
      if (with_ instanceof Error) one.reject(with_);
      else one.resolve(with_);
      await setImmediate();
    },
  };
}

it('those who ask while a large answer is read anew wait for that read, and each reads if it fails or has become small', async () => {
  let now = 1_000;
  const keep = createKeptAnswers<string[]>({ now: () => new Date(now) }, isLarge);
  const { read, started, answer } = pending();
  const ask = (): Promise<string[]> => keep('agent', read);
  // The first answer is not known to be large.
  const first = [ask(), ask()];
  assert.equal(started(), 2);
  await answer(['1', '2', '3']);
  await answer(['1', '2', '3']);
  await Promise.all(first);
  now += 60_001;
  const shared = [ask(), ask(), ask()];
  assert.equal(started(), 3);
  await answer(['4', '5', '6']);
  assert.deepEqual(
    await Promise.all(shared),
    Array.from({ length: 3 }, () => ['4', '5', '6']),
  );
  now += 60_001;
  const failed = ask();
  const others = [ask(), ask()];
  assert.equal(started(), 4);
  const refused = assert.rejects(failed, /statement timeout/);
  await answer(new Error('statement timeout'));
  await refused;
  assert.equal(started(), 6, 'both at once, not one after the other');
  await answer(['7']);
  await answer(['8']);
  assert.deepEqual(await Promise.all(others), [['7'], ['8']]);
  // It has become small: no one waits.
  const small = [ask(), ask()];
  assert.equal(started(), 8);
  await answer(['9']);
  await answer(['10']);
  assert.deepEqual(await Promise.all(small), [['9'], ['10']]);
});

it('none waits for another read inside a transaction', async (context) => {
  const database = await createTestDatabase();
  const pool = createPool(database.configFor('portal_service'), { name: 'test', max: 1 });
  context.after(async () => {
    await pool.end();
    await database.drop();
  });
  const db = createDatabase(pool);
  let now = 1_000;
  const keep = createKeptAnswers<string[]>({ now: () => new Date(now) }, isLarge);
  const { read, started, answer } = pending();
  const first = keep('one', read);
  await answer(['1', '2', '3']);
  await first;
  now += 60_001;
  const other = keep('one', read);
  const inside = db.asSystem('health', async () => {
    const mine = keep('one', read);
    assert.equal(started(), 3);
    await answer(['4', '5', '6']);
    await answer(['7', '8', '9']);
    return mine;
  });
  assert.deepEqual(
    [await inside, await other],
    [
      ['7', '8', '9'],
      ['4', '5', '6'],
    ],
  );
});

it('a read that fails is not kept', async () => {
  const keep = createKeptAnswers<string[]>({ now: () => new Date(1_000) }, () => true);
  await assert.rejects(keep('agent', () => Promise.reject(new Error('statement timeout'))));
  assert.deepEqual(await keep('agent', async () => ['one']), ['one']);
});

it('an answer of more than a megabyte is read each time, and all together hold four', async () => {
  const keep = createKeptAnswers<string[]>({ now: () => new Date(1_000) }, () => true);
  let reads = 0;
  const read = (bytes: number) => async () => {
    reads += 1;
    return ['x'.repeat(bytes)];
  };
  await keep('too large', read(1_100_000));
  await keep('too large', read(1_100_000));
  assert.equal(reads, 2);
  for (const key of ['1', '2', '3', '4', '5']) await keep(key, read(1_000_000));
  assert.equal(reads, 7);
  await keep('5', read(1_000_000));
  assert.equal(reads, 7);
  await keep('1', read(1_000_000));
  assert.equal(reads, 8);
});
