import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { newId } from '#platform/ids.ts';
import { users } from './index.ts';

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
let service: TestService;
before(async () => {
  service = await startTestService({ clock, modules: (platform) => [users(platform)] });
});
after(() => service.close());

const NOT_STAFF = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' } as const;

describe('staff search users', () => {
  it('finds across partners by name, address, role and partner, and never shows a hash', async () => {
    const found = await service.call('GET', '/users?q=rivalowner', { as: 'staff' });
    assert.deepEqual(
      found.body.data.map((user: { email: string }) => user.email),
      ['rivalowner@portal.test'],
    );
    assert.equal(found.text.includes('hash'), false);
    const clients = await service.call('GET', `/users?role=CLIENT&partnerId=${service.world.rivalPartnerId}`, { as: 'staff' });
    assert.deepEqual(
      clients.body.data.map((user: { email: string }) => user.email),
      ['rivalclientuser@portal.test'],
    );
    await service.assertRefused('GET', '/users', NOT_STAFF);
  });

  it('takes a percent sign as text, not as a wildcard', async () => {
    assert.equal((await service.call('GET', '/users?q=%25', { as: 'staff' })).body.data.length, 0);
  });

  it('pages without omitting or repeating a user, and a marker works only with its filters', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await service.call('GET', `/users?limit=2&cursor=${cursor}`, { as: 'staff' });
      seen.push(...page.body.data.map((user: { id: string }) => user.id));
      cursor = page.body.nextCursor;
      if (seen.length === 2) {
        const misused = await service.call('GET', `/users?limit=2&role=CLIENT&cursor=${cursor}`, { as: 'staff' });
        assert.deepEqual([misused.status, misused.body.code], [400, 'invalid_cursor']);
      }
    }
    assert.equal(seen.length, 7);
    assert.equal(new Set(seen).size, 7);
  });
});

describe('a disabled user', () => {
  it('is signed out at once, cannot sign in, and can again when enabled', async () => {
    const { userId } = service.world.people.rivalOwner;
    const held = service.bearer('rivalOwner');
    assert.equal((await service.call('GET', '/auth/me', { headers: held })).status, 200);
    const disabled = await service.call('PATCH', `/users/${userId}`, { as: 'staff', body: { status: 'disabled' } });
    assert.deepEqual([disabled.status, disabled.body.status], [200, 'disabled']);
    assert.equal((await service.call('GET', '/auth/me', { headers: held })).body.code, 'unauthenticated');
    assert.equal((await service.login('rivalowner@portal.test')).body.code, 'user_disabled');
    await service.call('PATCH', `/users/${userId}`, { as: 'staff', body: { status: 'active' } });
    assert.equal((await service.call('GET', '/auth/me', { headers: held })).body.code, 'unauthenticated');
    assert.equal((await service.login('rivalowner@portal.test')).status, 200);
    const actions = await service.db.asSystem('staff', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['changes'])
        .where('action', '=', 'user.status_changed')
        .where('targetId', '=', userId)
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      actions.map((entry) => entry.changes),
      [{ status: ['active', 'disabled'] }, { status: ['disabled', 'active'] }],
    );
  });

  it('that changed since it was read is not changed, with its If-Match', async () => {
    const { userId } = service.world.people.rivalOwner;
    const read = await service.call('GET', `/users/${userId}`, { as: 'staff' });
    const patch = (status: string, updatedAt: string) =>
      service.call('PATCH', `/users/${userId}`, { as: 'staff', body: { status }, headers: { 'if-match': `"${updatedAt}"` } });
    const first = await patch('disabled', read.body.updatedAt);
    assert.deepEqual([first.status, first.body.status], [200, 'disabled']);
    const stale = await patch('active', read.body.updatedAt);
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_record']);
    assert.equal((await service.call('GET', `/users/${userId}`, { as: 'staff' })).body.status, 'disabled');
    assert.equal((await patch('active', first.body.updatedAt)).body.status, 'active');
  });

  it('is never the caller or an unknown user, and only staff may disable', async () => {
    const { userId } = service.world.people.staff;
    assert.equal(
      (await service.call('PATCH', `/users/${userId}`, { as: 'staff', body: { status: 'disabled' } })).body.code,
      'cannot_change_own_permission',
    );
    assert.equal(
      (await service.call('PATCH', '/users/019a0000-0000-7000-8000-000000000000', { as: 'staff', body: { status: 'disabled' } })).status,
      404,
    );
    assert.equal((await service.call('GET', '/users/nothing', { as: 'staff' })).status, 404);
    await service.assertRefused('PATCH', `/users/${userId}`, NOT_STAFF, { status: 'disabled' });
  });
});

describe('a second step', () => {
  const lost = { reason: 'Phone lost, confirmed by phone.' };
  const hasOne = async (userId: string): Promise<boolean> =>
    (await service.call('GET', `/users/${userId}`, { as: 'staff' })).body.mfaEnabled;
  const switchOn = (userId: string, partnerId: string) =>
    service.db.asSystem('seed', async (tx) => {
      await tx
        .insertInto('userMfa')
        .values({ userId, partnerId, secretSealed: Buffer.from('x'), secretKeyId: 'k', enabledAt: new Date() })
        .execute();
      await tx.updateTable('appUser').set({ mfaEnabled: true }).where('id', '=', userId).execute();
    });

  it('is reset by other staff, never by its own user', async () => {
    const { staff } = service.world.people;
    const colleague = { ...staff, userId: newId(), email: 'colleague@portal.test' };
    const { userId: id, partnerId, email, role } = colleague;
    await service.db.asSystem('seed', (tx) =>
      tx.insertInto('appUser').values({ id, partnerId, email, role, fullName: 'Cora Colleague' }).execute(),
    );
    await switchOn(id, partnerId);
    const headers = service.bearer(colleague);
    const own = await service.call('POST', `/users/${id}/reset-mfa`, { headers, body: lost });
    assert.deepEqual([own.status, own.body.code], [403, 'cannot_change_own_permission']);
    assert.match(own.body.detail, /ask another staff member/);
    assert.equal(await hasOne(id), true);
    assert.equal((await service.call('POST', `/users/${id}/reset-mfa`, { as: 'staff', body: lost })).status, 204);
    assert.equal(await hasOne(id), false);
  });

  it('is not reset, and no one made an admin, by staff whose login is old', async () => {
    const { owner, moderator } = service.world.people;
    await switchOn(owner.userId, owner.partnerId);
    const headers = service.bearer('staff');
    aheadMs += (LIMITS.recentLoginMinutes + 1) * 60_000;
    for (const path of [`/users/${owner.userId}/reset-mfa`, `/users/${moderator.userId}/make-admin`]) {
      const refused = await service.call('POST', path, { headers, body: lost });
      assert.deepEqual([refused.status, refused.body.code], [403, 'reauthentication_required']);
      assert.equal((await service.call('POST', path, { as: 'staff', body: lost })).status, 204, 'after a fresh login');
    }
  });
});
