import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createKeptUsage } from './kept-usage.ts';
import type { UsageRow } from './store-usage.ts';

const row = (key: string): UsageRow => ({ key, label: key, credits: 1, runs: 1, failed: 0 });

/** Reads as often as it is called, and returns that number in its rows. */
function counting(rows: number): { read: () => Promise<UsageRow[]>; reads: () => number } {
  let reads = 0;
  return {
    read: async () => {
      reads += 1;
      return Array.from({ length: rows }, (_, index) => row(`${reads} ${index}`));
    },
    reads: () => reads,
  };
}

it('a full answer is kept for a minute, each for its own question', async () => {
  let now = 1_000;
  const keep = createKeptUsage({ now: () => new Date(now) }, 3);
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

it('an answer that is not full is read anew each time', async () => {
  const keep = createKeptUsage({ now: () => new Date(1_000) }, 3);
  const { read, reads } = counting(2);
  await keep('agent', read);
  await keep('agent', read);
  assert.equal(reads(), 2);
});

it('a read that fails is not kept', async () => {
  const keep = createKeptUsage({ now: () => new Date(1_000) }, 0);
  await assert.rejects(keep('agent', () => Promise.reject(new Error('statement timeout'))));
  assert.deepEqual(await keep('agent', async () => [row('one')]), [row('one')]);
});
