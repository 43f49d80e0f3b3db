import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createOldDatabase } from '@partner-portal/tests/harness/old-database.ts';
import { prepareDatabase } from '#platform/db/migrate.ts';
import { withClient } from '#platform/db/roles.ts';

/** A database from before billing, whose subscriptions kept their first period for ever. */

const FIRST_OF_BILLING = '0120';
const DATABASE = `before_billing_${process.pid}`;
let neighbor: TestDatabase;

const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
  const { rows } = await withClient({ ...neighbor.host.adminConfig, database: DATABASE }, (client) => client.query(text, values));
  return rows;
};

before(async () => {
  neighbor = await createTestDatabase();
  await createOldDatabase(neighbor.host, DATABASE, FIRST_OF_BILLING);
});
after(async () => {
  await withClient(neighbor.host.adminConfig, (client) => client.query(`drop database ${DATABASE} with (force)`));
  await neighbor.drop();
});

it('charges no period from before billing: each subscription is in its present one, and the ledger explains purchased credits', async () => {
  await query(
    `with p as (insert into partner (name, slug) select 'Agency ' || n, 'agency-' || n from generate_series(0, 2) n returning id, slug),
       started as (select id, (array['2024-01-31T10:00:00Z', '2025-03-15T00:00:00Z', (now() - interval '1 hour')::text])[right(slug, 1)::int + 1]::timestamptz as at from p),
       s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end)
         select t.id, l.id, 'active', t.at, t.at + interval '1 month' from started t, plan l where l.name = 'Starter')
     insert into partner_quota (partner_id, period_start, period_end, monthly_credits, purchased_credits)
     select t.id, t.at, t.at + interval '1 month', 2000, 500 from started t`,
  );
  await prepareDatabase(neighbor.host, DATABASE);
  const rows = await query(
    `select s.current_period_start <= now() and s.current_period_end > now() as is_present, s.period_anchor <= s.current_period_start as is_anchored,
       period_boundary(s.period_anchor, s.current_period_start) = s.current_period_end as is_month, s.currency,
       (select sum(u.credits)::int from usage_entry u where u.partner_id = s.partner_id and u.kind = 'grant') as granted
     from subscription s`,
  );
  assert.equal(rows.length, 3);
  for (const row of rows) assert.deepEqual(row, { is_present: true, is_anchored: true, is_month: true, currency: 'USD', granted: 500 });
  assert.deepEqual(await query(`select 1 from subscription where current_period_end <= now()`), []);
});
