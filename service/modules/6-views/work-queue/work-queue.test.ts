import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { sql } from 'kysely';
import { auditLog } from '#modules/1-ledger/audit/index.ts';
import { workQueue } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [workQueue(platform), auditLog(platform)] });
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

describe('the work queue of staff', () => {
  it('lists an approved agent that nothing installs by itself: a custom one, and one that waits for staff to start it', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', (tx) =>
      sql`insert into agent_request (partner_id, client_id, kind, template_name, title, status, origin, due_at) values
        (${partnerId}, ${clientId}, 'custom', null, 'By hand', 'approved', 'partner', null),
        (${partnerId}, ${clientId}, 'template', 'review-request', 'For later', 'approved', 'partner', null),
        (${partnerId}, ${clientId}, 'template', 'missed-call-text-back', 'Under way', 'approved', 'partner', now())`.execute(tx),
    );
    const { body } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
    const items = (body as { kind: string; title: string; detail: string }[]).filter(({ kind }) => kind === 'agent_request'); // checked by its schema
    assert.deepEqual(
      new Map(items.map(({ title, detail }) => [title, detail])),
      new Map([
        ['By hand for Oak Street Dental', 'Approved, to be built by hand'],
        ['For later for Oak Street Dental', 'Approved, to be installed later'],
      ]),
    );
  });

  it('shows who of staff took or released an item to staff alone', async () => {
    const items = (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body as { itemId: string; title: string }[]; // checked by its schema
    const itemId = items.find(({ title }) => title === 'By hand for Oak Street Dental')?.itemId;
    for (const assigned of [true, false])
      assert.equal(
        (await service.call('POST', '/provisioning/queue/assign', { as: 'staff', body: { kind: 'agent_request', itemId, assigned } }))
          .status,
        200,
      );
    for (const as of ['owner', 'moderator'] as const)
      for (const path of ['', '/export.csv', '/export.ndjson']) {
        const { status, text } = await service.call('GET', `/audit-log${path}`, { as });
        assert.equal(status, 200);
        assert.doesNotMatch(text, /staff@portal\.test|Staff Tester/, `${as} ${path}`);
      }
    const { body } = await service.call('GET', '/audit-log?action=work_item.assigned', { as: 'staff' });
    const seen = (body.data as { target: { label: string }; changes: { owner: unknown } }[]).map(({ target, changes }) => [
      target.label,
      changes.owner,
    ]); // checked by its schema
    assert.deepEqual(seen, [
      ['By hand for Oak Street Dental', ['Staff Tester', null]],
      ['By hand for Oak Street Dental', [null, 'staff@portal.test']],
    ]);
  });
});
