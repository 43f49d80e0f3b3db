import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScheduler, type Scheduler } from './scheduler.ts';

test('keys take turns, however long their queues', () => {
  const scheduler = createScheduler<string>({ total: 100, perKey: 100 });
  for (let n = 0; n < 5; n += 1) scheduler.add('big', `b${n}`);
  scheduler.add('small', 's0');
  const order = Array.from({ length: 6 }, () => scheduler.take());
  assert.deepEqual(order, ['b0', 's0', 'b1', 'b2', 'b3', 'b4']);
  assert.equal(scheduler.take(), undefined);
});

test('a late key waits for one place of the others, not for their whole burst', () => {
  const scheduler = createScheduler<string>({ total: 1, perKey: 1 });
  for (let n = 0; n < 1_000; n += 1) scheduler.add('burst', `b${n}`);
  assert.equal(scheduler.take(), 'b0');
  scheduler.add('late', 'l0');
  scheduler.release('burst');
  assert.equal(scheduler.take(), 'l0');
  scheduler.release('late');
  assert.equal(scheduler.take(), 'b1');
});

test('one key never holds more than its share of places; the rest stay free for others', () => {
  const scheduler = createScheduler<string>({ total: 4, perKey: 2 });
  for (let n = 0; n < 10; n += 1) scheduler.add('slow', `s${n}`);
  assert.deepEqual([scheduler.take(), scheduler.take(), scheduler.take()], ['s0', 's1', undefined]);
  scheduler.add('other', 'o0');
  assert.equal(scheduler.take(), 'o0');
  scheduler.release('slow');
  assert.equal(scheduler.take(), 's2');
});

test('never more than all places are taken, and released places are given again', () => {
  const scheduler = createScheduler<number>({ total: 3, perKey: 3 });
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
  const scheduler = createScheduler<{ key: string; n: number }>({ total: 5, perKey: 3 });
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
  const scheduler = createScheduler<number>({ total: 2, perKey: 2 });
  for (let n = 0; n < 4; n += 1) scheduler.add('k', n);
  scheduler.take();
  scheduler.clear();
  assert.equal(scheduler.waiting(), 0);
  assert.equal(scheduler.active(), 1);
  assert.equal(scheduler.take(), undefined);
  scheduler.add('k', 9);
  assert.equal(scheduler.take(), 9);
});

const weighted = (): Scheduler<string> => createScheduler<string>({ total: 100, perKey: 100, weight: { total: 100, perKey: 60 } });

test('a heavy item waits for room while lighter ones of other keys pass', () => {
  const scheduler = weighted();
  scheduler.add('big', 'b0', 60);
  scheduler.add('big', 'b1', 60);
  scheduler.add('other', 'o0', 50);
  scheduler.add('small', 's0', 10);
  assert.deepEqual([scheduler.take(), scheduler.take(), scheduler.take()], ['b0', 's0', undefined]);
  scheduler.release('big', 60);
  assert.deepEqual([scheduler.take(), scheduler.take()], ['o0', undefined]);
  scheduler.release('other', 50);
  assert.equal(scheduler.take(), 'b1');
});

test('an item heavier than a share counts as a share, and starts when its key holds nothing', () => {
  const scheduler = weighted();
  scheduler.add('big', 'b0', 1_000);
  scheduler.add('big', 'b1', 1);
  scheduler.add('other', 'o0', 40);
  assert.deepEqual([scheduler.take(), scheduler.take(), scheduler.take()], ['b0', 'o0', undefined]);
  scheduler.release('big', 1_000);
  assert.equal(scheduler.take(), 'b1');
});

test('a heavy item is not passed for ever', () => {
  const scheduler = weighted();
  scheduler.add('a', 'a0', 50);
  assert.equal(scheduler.take(), 'a0');
  scheduler.add('heavy', 'h', 60);
  let passes = 0;
  for (; passes < 1_000; passes += 1) {
    scheduler.add(`light${passes}`, 'light', 1);
    if (scheduler.take() === undefined) break;
    scheduler.release(`light${passes}`, 1);
  }
  assert.ok(passes > 0 && passes < 1_000);
  scheduler.release('a', 50);
  assert.equal(scheduler.take(), 'h');
});

test('an active item grows only into free room, its own share included, and gives all of it back', () => {
  const scheduler = weighted();
  scheduler.add('a', 'a0', 30);
  scheduler.add('b', 'b0', 50);
  assert.deepEqual([scheduler.take(), scheduler.take()], ['a0', 'b0']);
  assert.deepEqual([scheduler.grow('a', 40), scheduler.grow('a', 20), scheduler.grow('b', 5)], [false, true, false]);
  scheduler.release('a', 50);
  assert.equal(scheduler.grow('b', 10), true);
  scheduler.release('b', 60);
  scheduler.add('c', 'c0', 60);
  scheduler.add('d', 'd0', 40);
  assert.deepEqual([scheduler.take(), scheduler.take()], ['c0', 'd0']);
});

test('random weights never exceed the budget or a share, and everything starts in the end', () => {
  let seed = 11;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const scheduler = createScheduler<{ key: string; weight: number }>({ total: 8, perKey: 4, weight: { total: 100, perKey: 60 } });
  const running: { key: string; weight: number }[] = [];
  let started = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const one = { key: `k${random(9)}`, weight: random(90) };
    scheduler.add(one.key, one, one.weight);
  }
  const heldBy = (one: { weight: number }): number => Math.min(one.weight, 60);
  while (started < 2_000) {
    const item = scheduler.take();
    if (item === undefined) {
      const [done] = running.splice(random(running.length), 1);
      assert.ok(done, 'something is active while something waits');
      scheduler.release(done.key, done.weight);
      continue;
    }
    started += 1;
    running.push(item);
    assert.ok(running.reduce((sum, one) => sum + heldBy(one), 0) <= 100);
    const own = running.filter((one) => one.key === item.key);
    assert.ok(own.length <= 4 && own.reduce((sum, one) => sum + heldBy(one), 0) <= 60);
  }
  assert.equal(scheduler.waiting(), 0);
});
