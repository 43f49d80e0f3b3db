import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createPool } from '../db/pool.ts';
import { isRefusal } from '../refuse.ts';
import { createRateLimits } from './rate-limit.ts';

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
  it('count together: what one process let through the other knows', async () => {
    const one = createRateLimits({ pool });
    const two = createRateLimits({ pool });
    for (let call = 0; call < 10; call++) await one.count('mfaVerify', 'key');
    for (let call = 0; call < 10; call++) assert.equal((await two.count('mfaVerify', 'key')).exceeded, false);
    assert.equal((await one.count('mfaVerify', 'key')).exceeded, true);
    assert.equal((await two.count('mfaVerify', 'other')).exceeded, false);
  });
});

describe('limits of one process', () => {
  it('refuse with the code of their kind and a time to wait', async () => {
    const limits = createRateLimits({ callerRequestsPerMinute: 2, partnerRequestsPerMinute: 1 });
    await limits.require('partner', 'p');
    await assert.rejects(limits.require('partner', 'p'), (error) => isRefusal(error, 'partner_throttled'));
    await limits.require('caller', 'c');
    await limits.require('caller', 'c');
    await assert.rejects(limits.require('caller', 'c'), (error) => isRefusal(error, 'rate_limited'));
  });

  it('can be looked at without counting, and forgotten', async () => {
    const limits = createRateLimits();
    for (let call = 0; call < 10; call++) await limits.count('loginFailure', 'a@b.c');
    assert.equal((await limits.look('loginFailure', 'a@b.c')).remaining, 0);
    await limits.forget('loginFailure', 'a@b.c');
    assert.equal((await limits.look('loginFailure', 'a@b.c')).remaining, 10);
  });
});

describe('limits per address', () => {
  it('count an IPv6 network as one caller, and an IPv4 address as itself', async () => {
    const limits = createRateLimits();
    const spent = async (key: string, keys: (n: number) => string): Promise<number> => {
      for (let n = 0; n < 10; n += 1) await limits.count('loginFailure', keys(n));
      return 10 - (await limits.look('loginFailure', key)).remaining;
    };
    assert.equal(await spent('a@b.c 2001:db8:1:2::ffff', (n) => `a@b.c 2001:db8:1:2:${n}::1`), 10);
    assert.equal(await spent('ip:2001:DB8:0:3:9::', (n) => `ip:2001:db8::3:${n}:0:0:1`), 10);
    assert.equal(await spent('2001:db8:1:9::1', (n) => `2001:db8:1:${n + 20}::1`), 0);
    assert.equal(await spent('192.0.2.77', (n) => `192.0.2.${n}`), 0);
    assert.equal(await spent('ip:192.0.2.5', () => 'ip:::ffff:192.0.2.5'), 10);
    assert.equal(await spent('user:01890000-0000-7000-8000-000000000000', () => 'user:01890000-0000-7000-8000-000000000001'), 0);
  });
});
