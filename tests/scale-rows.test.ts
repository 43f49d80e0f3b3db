import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { addSeats, fillDatabase, type Query } from './harness/scale-rows.ts';

/** What the large database of the benches is worth as a measure: its sums are those that the service would have made of its runs. */

let database: TestDatabase;
let admin: pg.Client;
const query: Query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await admin.query<Row>(text, values)).rows;

before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client(database.configFor(ADMIN_ROLE));
  await admin.connect();
  await fillDatabase(query, await addSeats(query), { agencies: 10, clients: 100, runs: 3_000 });
});
after(async () => {
  await admin?.end();
  await database?.drop();
});

const SUMS = ['usage_hour', 'platform_hour', 'usage_span', 'agent_span'];

describe('the filled database', () => {
  it('has the sums that folding makes of its runs and its ledger', async () => {
    for (const table of SUMS) {
      await query(`create temporary table seeded_${table} as select * from ${table}`);
      await query(`truncate ${table}`);
    }
    await query('truncate usage_delta');
    await query(`insert into usage_delta (partner_id, workflow_id, client_id, hour, counter, credits, succeeded, failed, contacted, helped)
      select partner_id, workflow_id, client_id, hour, 'ended_runs', credits, succeeded, failed, contacted, helped from workflow_hour`);
    await query(`insert into usage_delta (partner_id, hour, counter, credits, entries)
      select partner_id, date_trunc('hour', at, 'UTC'), kind, -credits, 1 from usage_entry`);
    await query('select fold_usage(2147483647)');
    for (const table of SUMS) {
      const [counts] = await query<{ rows: number; missing: number; surplus: number }>(
        `select (select count(*) from ${table})::int as rows,
          (select count(*) from (select * from ${table} except select * from seeded_${table}) x)::int as missing,
          (select count(*) from (select * from seeded_${table} except select * from ${table}) x)::int as surplus`,
      );
      assert.ok((counts?.rows ?? 0) > 100, `${table} has rows`);
      assert.deepEqual({ table, missing: counts?.missing, surplus: counts?.surplus }, { table, missing: 0, surplus: 0 });
    }
  });

  it('keeps every index', async () => {
    const fresh = await createTestDatabase();
    const other = new pg.Client(fresh.configFor(ADMIN_ROLE));
    await other.connect();
    try {
      const indexes = `select i.indexrelid::regclass::text as name, i.indisvalid as valid from pg_index i
        where i.indrelid in ('execution'::regclass, 'execution_payload'::regclass, 'usage_entry'::regclass, 'workflow_hour'::regclass, 'usage_hour'::regclass, 'agent_span'::regclass)
        order by 1`;
      assert.deepEqual(await query(indexes), (await other.query(indexes)).rows);
    } finally {
      await other.end();
      await fresh.drop();
    }
  });
});
