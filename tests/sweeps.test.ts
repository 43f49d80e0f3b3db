import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { LOOPS, SWEEPS } from '@partner-portal/service/schema/sweeps.ts';
import { loopKey, type Measured, MEASURED_FILE, periodOf, readSchedules } from '../scripts/sweeps-page.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());

describe('the list of scheduled jobs', () => {
  it('names each job that the service declares, and no other', () => {
    const declared = [...readSchedules().keys()].toSorted();
    assert.ok(declared.length > 30, 'the schedules are found in the code');
    assert.deepEqual(Object.keys(SWEEPS).toSorted(), declared);
  });

  it('names indexes that exist and are valid', async () => {
    const { rows } = await withClient(database.configFor(ADMIN_ROLE), (client) =>
      client.query<{ name: string }>('select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indisvalid'),
    );
    const known = new Set(rows.map(({ name }) => name));
    const unknown = [...Object.values(SWEEPS), ...Object.values(LOOPS)].flatMap(({ indexes }) =>
      indexes.filter((index) => !known.has(index)),
    );
    assert.deepEqual(unknown, []);
  });

  it('has a time of each job and each loop, measured on ten million runs, and of no other', () => {
    const { runs, ms } = JSON.parse(readFileSync(MEASURED_FILE, 'utf8')) as Measured; // written by the bench
    assert.equal(runs, 10_000_000);
    assert.deepEqual(Object.keys(ms).toSorted(), [...Object.keys(SWEEPS), ...Object.keys(LOOPS).map(loopKey)].toSorted());
  });

  it('puts a schedule into words', () => {
    assert.deepEqual(['* * * * *', '*/15 * * * *', '17 * * * *', '23 3 * * *'].map(periodOf), [
      'minute',
      '15 minutes',
      'hour, at minute 17',
      'day, at 03:23',
    ]);
  });
});
