import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { overview } from './index.ts';

const catalog = loadCatalog();
const AGENTS = 1_000;
let service: TestService;

/** Agents of as many clients, with one run each. */
async function addAgents(partnerId: string, agents: number): Promise<void> {
  await service.db.asSystem('seed', async (tx) => {
    await sql`with added as (
        insert into client (partner_id, name) select ${partnerId}, 'Client ' || n from generate_series(1, ${agents}::int) n returning id
      ), installed as (
        insert into workflow (partner_id, client_id, template_name, name) select ${partnerId}, id, 'missed-call-text-back', 'Text back' from added returning id, client_id
      )
      insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, credits, helped)
      select ${partnerId}, id, client_id, date_trunc('hour', now()), 1, 1, 1 from installed`.execute(tx);
  });
}

async function addRun(partnerId: string, credits: number): Promise<void> {
  await service.db.asSystem('seed', (tx) =>
    sql`update workflow_hour set credits = credits + ${credits}, succeeded = succeeded + 1, helped = helped + 1
      where (workflow_id, hour) = (select workflow_id, hour from workflow_hour where partner_id = ${partnerId} order by workflow_id limit 1)`.execute(
      tx,
    ),
  );
}

type Seen = { topCredits: number; saved: number; runs: number; activity: number };

async function look(as: Person): Promise<Seen> {
  const summary = await service.call('GET', '/partners/me/summary', { as });
  const activity = await service.call('GET', '/partners/me/clients-activity', { as });
  assert.deepEqual([summary.status, activity.status], [200, 200]);
  return {
    topCredits: summary.body.topClients[0].credits,
    saved: summary.body.today.hoursSavedMonth,
    runs: summary.body.today.runs,
    activity: activity.body.clients[0].runs,
  };
}

before(async () => {
  service = await startTestService({ modules: (platform) => [overview({ ...platform, catalog, platformProviders: [] })] });
  await addAgents(service.world.partnerId, AGENTS);
  await addAgents(service.world.rivalPartnerId, AGENTS - 1);
});
after(() => service.close());

describe('the overview of a thousand agents', () => {
  it('shows sums of all of them as they are now, and each agency its own', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    for (const [agency, as, other] of [
      [partnerId, 'owner', rivalPartnerId],
      [rivalPartnerId, 'rivalOwner', partnerId],
    ] as const) {
      const before = await look(as);
      await addRun(agency, 500);
      await addRun(other, 7);
      const after = await look(as);
      assert.deepEqual([after.topCredits, after.activity, after.runs], [before.topCredits + 500, before.activity + 1, before.runs + 1]);
      assert.ok(after.saved > before.saved);
    }
  });

  it('lists twenty failing agents, the silent one as well, and says that there may be more', async () => {
    const { partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const clients = await sql<{ id: string }>`select id from client where partner_id = ${partnerId} order by id limit 22`.execute(tx);
      for (const [n, { id }] of clients.rows.entries())
        await addWorkflow(tx, {
          partnerId,
          clientId: id,
          templateName: 'lead-intake-cleaner',
          consecutiveFailures: n === 0 ? 0 : 5,
          lastRunAt: new Date(Date.now() - (n === 0 ? 9 * 86_400_000 : 60_000)),
        });
    });
    const { body } = await service.call('GET', '/partners/me/summary', { as: 'owner' });
    const count = (kind: string): number => body.attention.filter((item: { kind: string }) => item.kind === kind).length;
    assert.deepEqual([count('agent_failing'), count('agent_silent'), body.hasMoreAttention], [20, 1, true]);
  });
});
