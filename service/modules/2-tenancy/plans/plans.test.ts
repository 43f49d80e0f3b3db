import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { bodyOf } from '@partner-portal/tests/harness/route-cases.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { withClient } from '#platform/db/roles.ts';
import { plans } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [plans(platform)] });
});
after(() => service.close());

describe('the name of a plan', () => {
  it('is that of one plan, also when two are renamed at the same moment', async () => {
    const [first, second] = [await newPlan('First'), await newPlan('Second')];
    const taken = await rename(second, 'First');
    assert.deepEqual([taken.status, taken.body.code], [409, 'already_exists']);
    await withClient({ ...service.database.host.adminConfig, database: service.database.name }, async (client) => {
      await client.query('begin');
      await client.query("update plan set name = 'Wanted' where id = $1", [first]);
      const late = rename(second, 'Wanted');
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await client.query(waiting)).rowCount === 0);
      await client.query('commit');
      const refused = await late;
      assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists']);
    });
    assert.equal((await rename(second, 'Another')).body.name, 'Another');
  });
});

async function newPlan(name: string): Promise<string> {
  const made = await service.call('POST', '/plans', { as: 'staff', body: { ...bodyOf('createPlan', routes.createPlan), name } });
  assert.equal(made.status, 201);
  return made.body.id;
}

function rename(id: string, name: string) {
  return service.call('PATCH', `/plans/${id}`, { as: 'staff', body: { name } });
}
