import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeeper } from './keeper.ts';

type Item = { n: number };
function keeperOf(limits: { usesMax: number; keptMax: number }) {
  const made: Item[] = [];
  const dropped: number[] = [];
  const make = (): Item => {
    const item = { n: made.length + 1 };
    made.push(item);
    return item;
  };
  const keeper = createKeeper<Item>(limits, { make, drop: ({ n }) => dropped.push(n) });
  /** One use from its start to its end; returns which item served it. */
  const use = (owner: string, code: string, isFit = true): number => {
    const item = keeper.take(owner, code);
    keeper.release(item, isFit);
    return item.n;
  };
  return { keeper, use, dropped };
}

test('the same code of the same owner is served by one item, up to its number of uses', () => {
  const { use, dropped } = keeperOf({ usesMax: 3, keptMax: 4 });
  assert.deepEqual(
    Array.from({ length: 7 }, () => use('a', 'x')),
    [1, 1, 1, 2, 2, 2, 3],
  );
  assert.deepEqual(dropped, [1, 2]);
});

test('another owner, and other code of the same owner, never get it', () => {
  const { use } = keeperOf({ usesMax: 10, keptMax: 4 });
  assert.deepEqual(
    [use('a', 'x'), use('b', 'x'), use('a', 'y'), use('ax', ''), use('', 'ax')],
    [1, 2, 3, 4, 5],
    'also where owner and code give the same text together',
  );
  assert.equal(use('b', 'x'), 2);
});

test('one that is not fit is dropped at once; one in use serves no other', () => {
  const { keeper, use, dropped } = keeperOf({ usesMax: 10, keptMax: 4 });
  assert.deepEqual([use('a', 'x', false), use('a', 'x')], [1, 2]);
  assert.deepEqual(dropped, [1]);
  const [first, second] = [keeper.take('a', 'x'), keeper.take('a', 'x')];
  assert.notEqual(first, second);
  keeper.release(first, true);
  keeper.release(second, true);
  assert.deepEqual(dropped, [1, first.n], 'of two only one is kept');
});

test('no more than the limit are kept; the one unused the longest leaves', () => {
  const { use, dropped } = keeperOf({ usesMax: 10, keptMax: 2 });
  assert.deepEqual([use('a', 'x'), use('b', 'x'), use('a', 'x'), use('c', 'x')], [1, 2, 1, 3]);
  assert.deepEqual(dropped, [2]);
  assert.deepEqual([use('a', 'x'), use('b', 'x')], [1, 4]);
});
