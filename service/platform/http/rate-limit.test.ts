import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createPool } from '../db/pool.ts';
import { isRefusal } from '../refuse.ts';
import { createRateLimits, type RateWindow } from './rate-limit.ts';

const MINUTE: RateWindow = { points: 20, seconds: 60 };
const QUARTER_HOUR: RateWindow = { points: 10, seconds: 900 };

let database: TestDatabase;
let pool: pg.Pool;

before(async () => {
  database = await createTestDatabase();
  pool = createPool(database.configFor('portal_service'), { name: 'test', max: 2 });
});

after(async () => {
  await pool.end();
  await database.drop();
});

describe('limits shared by several processes', () => {
  it('count the requests of all processes together', async () => {
    const one = createRateLimits({ codes: MINUTE }, { pool });
    const two = createRateLimits({ codes: MINUTE }, { pool });
    for (let call = 0; call < 10; call++) await one.count('codes', 'key');
    for (let call = 0; call < 10; call++) assert.equal((await two.count('codes', 'key')).exceeded, false);
    assert.equal((await one.count('codes', 'key')).exceeded, true);
    assert.equal((await two.count('codes', 'other')).exceeded, false);
  });
});

describe('limits of processes whose clocks differ', () => {
  it('are one window of the database’s clock, which neither of them extends or ends', async () => {
    const limits = createRateLimits({ codes: { points: 4, seconds: 60 } }, { pool });
    const real = Date.now;
    const countAt = async (shiftMinutes: number) => {
      const clock = mock.method(Date, 'now', () => real() + shiftMinutes * 60_000);
      try {
        const { remaining, resetSeconds } = await limits.count('codes', 'skewed');
        const read = await limits.peek('codes', 'skewed');
        return [remaining, read.remaining, [resetSeconds, read.resetSeconds].every((seconds) => seconds > 0 && seconds < 120)];
      } finally {
        clock.mock.restore();
      }
    };
    const minutes = [5, 0, -5, 5];
    const states: unknown[] = [];
    for (const shift of minutes) states.push(await countAt(shift));
    assert.deepEqual(states, [
      [3, 3, true],
      [2, 2, true],
      [1, 1, true],
      [0, 0, true],
    ]);
  });
});

describe('counts that are asked for together', () => {
  it('go to the database in one statement, and each knows what its key had reached with it', async () => {
    const texts: string[] = [];
    const watched = Object.assign(Object.create(pool) as pg.Pool, {
      query: (query: pg.QueryConfig) => (texts.push(query.name ?? ''), pool.query(query)),
    });
    const limits = createRateLimits({ codes: MINUTE, calls: { points: 3, seconds: 60 } }, { pool: watched });
    const keys = ['a', 'b', 'a', 'c', 'a'];
    const states = await Promise.all(keys.map((key) => limits.count('codes', `together-${key}`)));
    assert.deepEqual(
      states.map(({ remaining }) => 20 - remaining),
      [1, 1, 2, 1, 3],
    );
    assert.deepEqual(texts, ['count_requests']);
    const calls = await Promise.all(Array.from({ length: 5 }, () => limits.count('calls', 'together')));
    assert.deepEqual(
      calls.map(({ exceeded }) => exceeded),
      [false, false, false, true, true],
    );
  });

  it('for two keys take one statement; what the first refuses does not count for the second, in any process', async () => {
    for (const pools of [{}, { pool }]) {
      const limits = createRateLimits({ caller: { points: 2, seconds: 60 }, tenant: MINUTE }, pools);
      const call = () => limits.countBoth(['caller', 'both'], ['tenant', 'both']);
      const used = async () => 20 - (await limits.peek('tenant', 'both')).remaining;
      for (let n = 1; n <= 2; n += 1) {
        const [own, tenant] = await call();
        assert.deepEqual([own.exceeded, own.remaining, tenant?.remaining], [false, 2 - n, 20 - n]);
      }
      for (let n = 0; n < 3; n += 1) {
        const [own, tenant] = await call();
        assert.deepEqual([own.exceeded, tenant, await used()], [true, null, 2]);
      }
    }
  });

  it('of one caller far beyond its limit, all at once, leave the others of its agency theirs', async () => {
    const limits = createRateLimits({ caller: { points: 4, seconds: 60 }, tenant: { points: 10, seconds: 60 } }, { pool });
    const calls = await Promise.all(Array.from({ length: 40 }, () => limits.countBoth(['caller', 'flood'], ['tenant', 'flooded'])));
    assert.equal(calls.filter(([own, tenant]) => !own.exceeded && tenant?.exceeded === false).length, 4);
    const [own, tenant] = await limits.countBoth(['caller', 'another'], ['tenant', 'flooded']);
    assert.deepEqual([own.exceeded, tenant?.exceeded, tenant?.remaining], [false, false, 5]);
  });

  it('of a key longer than the table holds are counted too', async () => {
    const limits = createRateLimits({ codes: MINUTE }, { pool });
    const long = `${'a'.repeat(300)}@example.com 192.0.2.1`;
    await limits.count('codes', long);
    assert.equal((await limits.count('codes', long)).remaining, 18);
    assert.equal((await limits.count('codes', `b${long}`)).remaining, 19);
    const [row] = (await pool.query("select count(*)::int as n from rate_limit where length(key) < 60 and key like 'codes:%'")).rows;
    assert.ok(row.n >= 2);
  });

  it('are made in memory while the database hangs', async () => {
    const hanging = Object.assign(Object.create(pool) as pg.Pool, { query: () => new Promise(() => undefined) });
    const limits = createRateLimits({ codes: { points: 2, seconds: 60 } }, { pool: hanging, waitMs: 50 });
    const states = await Promise.all([1, 2, 3].map(() => limits.count('codes', 'hanging')));
    assert.deepEqual(
      states.map(({ exceeded }) => exceeded),
      [false, false, true],
    );
  });

  it('of a window that has ended restart', async () => {
    const limits = createRateLimits({ short: { points: 2, seconds: 60 } }, { pool });
    for (let n = 0; n < 2; n += 1) await limits.count('short', 'anew');
    await pool.query("update rate_limit set expire = 1 where key like 'short%'");
    const both = await Promise.all([limits.count('short', 'anew'), limits.count('short', 'anew')]);
    assert.deepEqual(
      both.map(({ remaining, exceeded, resetSeconds }) => [remaining, exceeded, resetSeconds > 50]),
      [
        [1, false, true],
        [0, false, true],
      ],
    );
  });
});

describe('limits of one process', () => {
  it('refuse with the code of their window and a time to wait', async () => {
    const limits = createRateLimits({ caller: { points: 2, seconds: 60 }, tenant: { points: 1, seconds: 60, code: 'partner_throttled' } });
    await limits.require('tenant', 'p');
    await assert.rejects(limits.require('tenant', 'p'), (error) => isRefusal(error, 'partner_throttled'));
    await limits.require('caller', 'c');
    await limits.require('caller', 'c');
    await assert.rejects(limits.require('caller', 'c'), (error) => isRefusal(error, 'rate_limited'));
  });

  it('can be read without counting, and forgotten', async () => {
    const limits = createRateLimits({ failures: QUARTER_HOUR });
    for (let call = 0; call < 10; call++) await limits.count('failures', 'a@b.c');
    assert.equal((await limits.peek('failures', 'a@b.c')).remaining, 0);
    await limits.forget('failures', 'a@b.c');
    assert.equal((await limits.peek('failures', 'a@b.c')).remaining, 10);
  });
});

describe('limits per address', () => {
  it('count an IPv6 network as one caller, and an IPv4 address as itself', async () => {
    const limits = createRateLimits({ failures: QUARTER_HOUR });
    const used = async (key: string, keys: (n: number) => string): Promise<number> => {
      for (let n = 0; n < 10; n += 1) await limits.count('failures', keys(n));
      return 10 - (await limits.peek('failures', key)).remaining;
    };
    assert.equal(await used('a@b.c 2001:db8:1:2::ffff', (n) => `a@b.c 2001:db8:1:2:${n}::1`), 10);
    assert.equal(await used('ip:2001:DB8:0:3:9::', (n) => `ip:2001:db8::3:${n}:0:0:1`), 10);
    assert.equal(await used('2001:db8:1:9::1', (n) => `2001:db8:1:${n + 20}::1`), 0);
    assert.equal(await used('192.0.2.77', (n) => `192.0.2.${n}`), 0);
    assert.equal(await used('ip:192.0.2.5', () => 'ip:::ffff:192.0.2.5'), 10);
    assert.equal(await used('user:01890000-0000-7000-8000-000000000000', () => 'user:01890000-0000-7000-8000-000000000001'), 0);
  });
});
