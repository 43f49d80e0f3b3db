import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { clients } from './index.ts';
import { HEALTH_WINDOW } from './store.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [clients(platform)] });
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await addWorkflow(tx, {
      partnerId,
      clientId,
      templateName: 'missed-call-text-back',
      consecutiveFailures: 3,
      lastRunAt: new Date(),
    });
    // Every sixtieth of the newer clients has no agent: a window holds some, and fewer than a page.
    await sql`with added as (insert into client (partner_id, name) select ${partnerId}, n::text from generate_series(1, ${2 * HEALTH_WINDOW + 1}::int) n returning id, name)
      insert into workflow (partner_id, client_id, template_name, name, provider_flow_id, last_run_at)
      select ${partnerId}, id, 'lead-intake-cleaner', 'Cleaner', 'flow-' || name, now() from added where name::int % 60 <> 0`.execute(tx);
  });
});
after(() => service.close());

const list = async (query: string, as: 'owner' | 'staff' = 'owner') => (await service.call('GET', `/clients?${query}`, { as })).body;

test('a client of rare health is found behind thousands of others, page by page', async () => {
  for (const as of ['owner', 'staff'] as const) {
    let page = await list('health=failing', as);
    for (const _window of [1, 2]) {
      assert.deepEqual(page.data, []);
      assert.notEqual(page.nextCursor, null);
      page = await list(`health=failing&cursor=${page.nextCursor}`, as);
    }
    assert.deepEqual(
      page.data.map(({ id, health }: { id: string; health: string }) => [id, health]),
      [[service.world.clientId, 'failing']],
    );
    assert.equal(page.nextCursor, null);
  }
});

test('pages of a health that some have miss none and repeat none, also where a window ends', async () => {
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { data: { id: string }[]; nextCursor: string | null } = await list(`health=not_installed&limit=100&cursor=${cursor}`);
    seen.push(...page.data.map(({ id }) => id));
    sizes.push(page.data.length);
    cursor = page.nextCursor;
  }
  const [row] = await service.db.asSystem('seed', (tx) =>
    sql<{
      count: number;
    }>`select count(*)::int from client c where partner_id = ${service.world.partnerId} and status in ('active', 'suspended')
      and not exists (select from workflow w where w.client_id = c.id)`
      .execute(tx)
      .then(({ rows }) => rows),
  );
  assert.ok(sizes.length > 2 && sizes.every((size) => size > 0 && size < 100), sizes.join(', '));
  assert.equal(seen.length, row?.count);
  assert.equal(new Set(seen).size, seen.length);
});
