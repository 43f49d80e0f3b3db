import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@house/tests/harness/database.ts';
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
    const limits = createRateLimits({ partnerRequestsPerMinute: 1 });
    await limits.require('partner', 'p');
    await assert.rejects(limits.require('partner', 'p'), (error) => isRefusal(error, 'partner_throttled'));
  });

  it('can be looked at without counting, and forgotten', async () => {
    const limits = createRateLimits();
    for (let call = 0; call < 10; call++) await limits.count('loginFailure', 'a@b.c');
    assert.equal((await limits.look('loginFailure', 'a@b.c')).remaining, 0);
    await limits.forget('loginFailure', 'a@b.c');
    assert.equal((await limits.look('loginFailure', 'a@b.c')).remaining, 10);
  });
});
