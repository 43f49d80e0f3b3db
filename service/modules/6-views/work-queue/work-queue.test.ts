import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { sql } from 'kysely';
import { workQueue } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [workQueue(platform)] });
});
after(() => service.close());

const counts = async () => (await service.call('GET', '/provisioning/counts', { as: 'staff' })).body;

describe('the counts in the navigation of staff', () => {
  it('are the agencies that are not deleted, and the endpoints whose newest deliveries failed', async () => {
    const before = await counts();
    assert.equal(before.failingEndpoints, 0);
    assert.ok(before.partners >= 2);
    const { partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      await sql`insert into webhook_endpoint (partner_id, url, secret_sealed, secret_key_id, failure_streak, deleted_at) values
        (${partnerId}, 'https://one.acme.example', 'x', 'k', 3, null), (${partnerId}, 'https://two.acme.example', 'x', 'k', 0, null),
        (${partnerId}, 'https://three.acme.example', null, null, 2, now())`.execute(tx);
      await sql`update partner set status = 'deleted' where id = (select id from partner where id <> ${partnerId} and not is_house limit 1)`.execute(
        tx,
      );
    });
    assert.deepEqual(await counts(), { partners: before.partners - 1, failingEndpoints: 1 });
  });

  it('are for staff alone', () =>
    service.assertRefused('GET', '/provisioning/counts', {
      owner: 'role_forbidden',
      moderator: 'role_forbidden',
      clientUser: 'role_forbidden',
    }));
});
