import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ComputeOptions, type ComputePool, ComputeRefusal, createComputePool, defineTask } from './compute-pool.ts';
import type { fail, hoard, hold, whereAmI } from './test-tasks.ts';

const FILE = new URL('./test-tasks.ts', import.meta.url);
/** A net: a thread takes seconds to start on a busy machine. */
const HOUR_MS = 3_600_000;
const where = defineTask<typeof whereAmI>({ file: FILE, name: 'whereAmI', deadlineMs: HOUR_MS });
const holding = defineTask<typeof hold>({ file: FILE, name: 'hold', deadlineMs: HOUR_MS });
const hoarding = defineTask<typeof hoard>({ file: FILE, name: 'hoard', deadlineMs: HOUR_MS });
const failing = defineTask<typeof fail>({ file: FILE, name: 'fail', deadlineMs: HOUR_MS });

const pools: ComputePool[] = [];
const open = (options: ComputeOptions = {}): ComputePool => {
  const pool = createComputePool({ threads: 2, waitMs: HOUR_MS, ...options });
  pools.push(pool);
  return pool;
};
const shared = () => new Int32Array(new SharedArrayBuffer(4));
const started = shared();
let until = shared();
/** Works that hold a thread until `release`. */
const holdFor = (pool: ComputePool, key: string, bytes = 1) => pool.run(holding, { until, started }, { key, bytes });
const release = (): void => {
  Atomics.store(until, 0, 1);
  until = shared();
};
const running = async (count: number): Promise<void> => {
  while (Atomics.load(started, 0) < count) await turn();
};
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ComputeRefusal ? error.reason : error),
  );
const at = (key: string) => ({ key, bytes: 1 });

afterEach(() => {
  release();
  Atomics.store(started, 0, 0);
});
after(() => Promise.all(pools.map((pool) => pool.close())));

describe('work in a thread', () => {
  it('leaves the main thread free, which alone can end it here', async () => {
    const pool = open();
    const held = holdFor(pool, 'a');
    await running(1);
    release();
    assert.ok((await held) > 0);
    assert.ok((await pool.run(where, undefined, at('a'))) > 0);
  });

  it('passes on what it throws', async () => {
    await assert.rejects(open().run(failing, 'as it is', at('a')), { message: 'as it is' });
  });

  it('is ended at its deadline, and the next one gets another thread', async () => {
    const pool = open();
    const first = holdFor(pool, 'a');
    await running(1);
    release();
    const thread = await first;
    const endless = pool.run({ ...holding, deadlineMs: 1 }, { until, started }, at('a'));
    assert.equal(await reasonOf(endless), 'deadline');
    assert.notEqual(await pool.run(where, undefined, at('a')), thread);
  });

  it('that needs too much memory ends alone', async () => {
    const pool = open({ heapMb: 16 });
    assert.equal(await reasonOf(pool.run(hoarding, undefined, at('a'))), 'memory');
    assert.ok((await pool.run(where, undefined, at('a'))) > 0);
  });

  it('is ended when the pool closes', async () => {
    const pool = open();
    const held = reasonOf(holdFor(pool, 'a'));
    await running(1);
    await pool.close();
    assert.equal(await held, 'deadline');
  });
});

describe('the queue of the pool', () => {
  it('lets no key hold the last thread or the last place', async () => {
    const pool = open({ waitingMax: 4 });
    const held = [holdFor(pool, 'a'), holdFor(pool, 'a'), holdFor(pool, 'a')];
    assert.equal(await reasonOf(holdFor(pool, 'a')), 'full');
    assert.ok((await pool.run(where, undefined, at('b'))) > 0, 'one thread is left for others');
    const other = holdFor(pool, 'b');
    await running(2);
    const waiting = pool.run(where, undefined, at('c'));
    release();
    assert.ok((await waiting) > 0);
    await Promise.all([...held, other]);
  });

  it('is bounded in bytes', async () => {
    const pool = open({ bytesMax: 100 });
    const held = holdFor(pool, 'a', 60);
    assert.equal(await reasonOf(holdFor(pool, 'b', 41)), 'full');
    assert.ok((await pool.run(where, undefined, { key: 'b', bytes: 40 })) > 0);
    release();
    await held;
    assert.ok((await pool.run(where, undefined, { key: 'b', bytes: 100 })) > 0);
  });

  it('is left by work that waited too long, which is not done then', async () => {
    const pool = open({ waitMs: 1 });
    const held = holdFor(pool, 'a');
    assert.equal(await reasonOf(holdFor(pool, 'a')), 'waited');
    await running(1);
    release();
    await held;
    assert.equal(Atomics.load(started, 0), 1);
  });
});
