import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScheduler } from './scheduler.ts';

test('keys take turns, however long their queues', () => {
  const scheduler = createScheduler<string>(100, 100);
  for (let n = 0; n < 5; n += 1) scheduler.add('big', `b${n}`);
  scheduler.add('small', 's0');
  const order = Array.from({ length: 6 }, () => scheduler.take());
  assert.deepEqual(order, ['b0', 's0', 'b1', 'b2', 'b3', 'b4']);
  assert.equal(scheduler.take(), undefined);
});

test('a late key waits for one place of the others, not for their whole burst', () => {
  const scheduler = createScheduler<string>(1, 1);
  for (let n = 0; n < 1_000; n += 1) scheduler.add('burst', `b${n}`);
  assert.equal(scheduler.take(), 'b0');
  scheduler.add('late', 'l0');
  scheduler.release('burst');
  assert.equal(scheduler.take(), 'l0');
  scheduler.release('late');
  assert.equal(scheduler.take(), 'b1');
});

test('one key never holds more than its share of places; the rest stay free for others', () => {
  const scheduler = createScheduler<string>(4, 2);
  for (let n = 0; n < 10; n += 1) scheduler.add('slow', `s${n}`);
  assert.deepEqual([scheduler.take(), scheduler.take(), scheduler.take()], ['s0', 's1', undefined]);
  scheduler.add('other', 'o0');
  assert.equal(scheduler.take(), 'o0');
  scheduler.release('slow');
  assert.equal(scheduler.take(), 's2');
});

test('never more than all places are taken, and released places are given again', () => {
  const scheduler = createScheduler<number>(3, 3);
  for (let n = 0; n < 9; n += 1) scheduler.add(`k${n}`, n);
  assert.deepEqual([scheduler.take(), scheduler.take(), scheduler.take(), scheduler.take()], [0, 1, 2, undefined]);
  scheduler.release('k0');
  assert.equal(scheduler.take(), 3);
  assert.equal(scheduler.active(), 3);
  assert.equal(scheduler.waiting(), 5);
});

test('random work loses nothing, doubles nothing and keeps the order within a key', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const scheduler = createScheduler<{ key: string; n: number }>(5, 3);
  const running: { key: string; n: number }[] = [];
  const last = new Map<string, number>();
  let added = 0;
  let taken = 0;
  while (taken < 3_000) {
    if (added < 3_000 && random(3) > 0) {
      const key = `k${random(7)}`;
      scheduler.add(key, { key, n: added });
      added += 1;
    }
    const item = scheduler.take();
    if (item !== undefined) {
      assert.ok(item.n > (last.get(item.key) ?? -1));
      last.set(item.key, item.n);
      taken += 1;
      running.push(item);
    }
    assert.ok(scheduler.active() <= 5);
    for (const key of last.keys()) assert.ok(running.filter((one) => one.key === key).length <= 3);
    if (running.length === 5 || random(2) === 0) {
      const [done] = running.splice(random(running.length || 1), 1);
      if (done !== undefined) scheduler.release(done.key);
    }
  }
  assert.equal(scheduler.waiting(), 0);
});

test('clearing forgets what waits and keeps count of what runs', () => {
  const scheduler = createScheduler<number>(2, 2);
  for (let n = 0; n < 4; n += 1) scheduler.add('k', n);
  scheduler.take();
  scheduler.clear();
  assert.equal(scheduler.waiting(), 0);
  assert.equal(scheduler.active(), 1);
  assert.equal(scheduler.take(), undefined);
  scheduler.add('k', 9);
  assert.equal(scheduler.take(), 9);
});
