import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { recordFacts } from '#platform/facts.ts';
import { thresholdsCrossed } from './index.ts';

/** The database finds what is crossed, the wiring publishes it: from quota to event, whatever the numbers. */

const SCHEMA = EVENT_DATA['usage.threshold_crossed'];

let service: TestService;
before(async () => (service = await startTestService()));
after(() => service.close());

const query = (text: string, values?: unknown[]) => service.database.query<{ data: unknown; percent: number }>(text, values);

type Quota = { monthly: number; purchased?: number; used?: number; thresholds?: number[]; start?: string; end?: string };

/** Ends executions that cost `charged` credits and returns the data of the events this wrote. */
async function settle(quota: Quota, charged: number): Promise<unknown[]> {
  const { partnerId } = service.world;
  const { monthly, purchased = 0, used = 0, thresholds = [50, 80, 100] } = quota;
  const start = quota.start ?? '2026-01-31T23:59:59.001Z';
  const end = quota.end ?? '2126-02-28T00:00:00.000Z';
  await query("delete from event where type = 'usage.threshold_crossed'");
  await query(
    `update partner_quota set monthly_credits = $2, purchased_credits = $3, used = $4, thresholds = $5, period_start = $6, period_end = $7, highest_threshold = 0,
      in_flight = 0 where partner_id = $1`,
    [partnerId, monthly, purchased, used, thresholds, start, end],
  );
  const [settled] = await query('select settle_quota($1::jsonb, true) as data, 0 as percent', [
    JSON.stringify([{ partner: partnerId, held: 0, charged }]),
  ]);
  const crossings = (settled?.data ?? []) as QuotaCrossing[]; // what finish_executions passes on
  await service.db.asSystem('metering', (tx) => recordFacts(tx, thresholdsCrossed, crossings));
  const rows = await query(
    `select data, (data->>'thresholdPercent')::int as percent from event where partner_id = $1 and type = 'usage.threshold_crossed' order by percent`,
    [partnerId],
  );
  return rows.map(({ data }) => data);
}

/** The schema of the contract, strict: every member present, no other, none converted. */
function assertFits(data: unknown): void {
  assert.deepEqual(SCHEMA.strict().parse(data), data);
}

async function spendBy(clients: number): Promise<void> {
  const { partnerId } = service.world;
  for (const table of ['workflow_hour', 'usage_delta']) await query(`delete from ${table} where partner_id = $1`, [partnerId]);
  for (let n = 0; n < clients; n += 1) {
    const [row] = await query(`insert into client (partner_id, name) values ($1, $2) returning to_jsonb(id) as data, 0 as percent`, [
      partnerId,
      `"Ünal & Söhne" \\ 諸口 ${n}`,
    ]);
    const clientId = String(row?.data);
    const workflowId = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back' }),
    );
    await query(
      `insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, credits) values ($1, $2, $3, date_trunc('hour', now()), 1, $4)`,
      [partnerId, workflowId, clientId, n],
    );
  }
}

/** Name, clients that used credits, quota before, credits charged, events expected. */
const CASES: readonly [string, number, Quota, number, number][] = [
  ['when no client used anything', 0, { monthly: 10 }, 5, 1],
  ['when more clients used credits than the event lists', 7, { monthly: 10, used: 4 }, 1, 1],
  ['when one report crosses all thresholds', 1, { monthly: 10 }, 10, 3],
  ['when more is used than there is', 1, { monthly: 3, purchased: 2, used: 2 }, 40, 3],
  ['when the plan has no credits at all', 0, { monthly: 0 }, 1, 3],
  ['at the largest number of credits', 1, { monthly: 2_000_000_000, used: 1_999_999_998, thresholds: [100] }, 2, 1],
  ['when the period starts before the year 2000 and ends on a whole second', 0, { monthly: 2, start: '1999-12-31T00:00:00Z' }, 1, 1],
  ['with a threshold of the partner itself', 0, { monthly: 100, thresholds: [1] }, 1, 1],
];

describe('the event of a crossed usage threshold parses with the schema of the contract', () => {
  for (const [name, clients, quota, charged, expected] of CASES) {
    it(name, async () => {
      await spendBy(clients);
      const events = await settle(quota, charged);
      assert.equal(events.length, expected);
      for (const data of events) assertFits(data);
    });
  }

  it('and names no client that is being removed', async () => {
    await spendBy(3);
    const named = async (): Promise<string[]> => {
      const [data] = await settle({ monthly: 10 }, 5);
      return (data as { topClients: { name: string }[] }).topClients.map(({ name }) => name.slice(-1)); // as parsed above
    };
    assert.deepEqual(await named(), ['2', '1', '0']);
    await query(
      `with gone as (update client set status = 'deleted' where partner_id = $1 and name like '% 1' returning 1) select null::jsonb as data, 0 as percent from gone`,
      [service.world.partnerId],
    );
    assert.deepEqual(await named(), ['2', '0']);
  });

  it('and would not without a member, or with one the contract does not have', async () => {
    const [data] = await settle({ monthly: 10 }, 5);
    const { topClients: _topClients, ...incomplete } = data as { topClients: unknown };
    assert.throws(() => assertFits(incomplete));
    assert.throws(() => assertFits({ ...(data as object), more: 1 }));
  });
});
