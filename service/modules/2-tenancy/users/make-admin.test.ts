import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { users } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [users(platform)] });
});
after(() => service.close());

describe('an agency without an admin', () => {
  const make = (id: string, as: 'staff' | 'owner' = 'staff') =>
    service.call('POST', `/users/${id}/make-admin`, { as, body: { reason: 'Its only admin left; confirmed by phone.' } });

  it('gets one from staff: its only admin is disabled, a member is made admin, logged out, and the reason is recorded', async () => {
    const { owner, moderator } = service.world.people;
    const held = service.bearer('moderator');
    const disabled = await service.call('PATCH', `/users/${owner.userId}`, { as: 'staff', body: { status: 'disabled' } });
    assert.deepEqual([disabled.status, disabled.body.partnerRole], [200, 'admin']);
    assert.equal((await make(moderator.userId)).status, 204);
    assert.equal((await service.call('GET', '/auth/me', { headers: held })).status, 401);
    assert.equal((await service.login('moderator@portal.test')).body.user.partnerRole, 'admin');
    const [entry] = await service.db.asSystem('staff', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['actorType', 'targetLabel', 'changes'])
        .where('action', '=', 'member.permission_changed')
        .execute(),
    );
    assert.deepEqual(entry, {
      actorType: 'staff',
      targetLabel: 'moderator@portal.test',
      changes: { partnerRole: ['moderator', 'admin'], reason: [null, 'Its only admin left; confirmed by phone.'] },
    });
    const { body } = await make(moderator.userId);
    assert.deepEqual([body.code, body.detail], ['invalid_state', 'moderator@portal.test is an admin already.']);
  });

  it('gets none that could not act for it: no user of a client, no disabled member, no unknown user, and only by staff', async () => {
    const { clientUser, staff, moderator, owner } = service.world.people;
    for (const { userId } of [clientUser, staff, owner]) assert.equal((await make(userId)).body.code, 'invalid_state');
    assert.equal((await make(service.world.planId)).status, 404);
    await service.assertRefused(
      'POST',
      `/users/${moderator.userId}/make-admin`,
      { rivalOwner: 'role_forbidden', clientUser: 'role_forbidden' },
      { reason: 'x' },
    );
    assert.equal((await service.call('POST', `/users/${moderator.userId}/make-admin`, { as: 'staff', body: {} })).status, 422);
  });
});
