import assert from 'node:assert/strict';
import { it } from 'node:test';
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
