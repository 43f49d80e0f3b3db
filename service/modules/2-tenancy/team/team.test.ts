import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD as WORLD_PASSWORD } from '@partner-portal/tests/harness/world.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { users } from '#modules/2-tenancy/users/index.ts';
import { team } from './index.ts';

let service: TestService;
let aheadMs = 0;
before(async () => {
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  service = await startTestService({ clock, modules: (platform) => [team(platform), invitations(platform), users(platform)] });
});
after(() => service.close());

const PASSWORD = 'eleven brown otters';
/** A user who accepted an invitation, with a session. */
async function join(email: string): Promise<{ id: string; headers: { authorization: string } }> {
  const { body } = await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email } });
  const token = String(body.acceptUrl).split('/').at(-1);
  await service.call('POST', '/invitations/accept', { body: { token, password: PASSWORD, fullName: 'Tessa Teammate' } });
  return signIn(email);
}
async function signIn(email: string) {
  const { body } = await service.login(email, PASSWORD);
  return { id: body.user.id as string, headers: { authorization: `Bearer ${body.accessToken}` } };
}
const change = (id: string, partnerRole: string, by: object = { as: 'owner' }) =>
  service.call('PATCH', `/partners/me/team/${id}`, { ...by, body: { partnerRole } });
const remove = (id: string, by: object = { as: 'owner' }) => service.call('DELETE', `/partners/me/team/${id}`, by);
const idOf = (person: 'owner' | 'moderator' | 'rivalOwner' | 'clientUser') => service.world.people[person].userId;

describe('the team', () => {
  it('is listed to every member with permission, second step and sign-in method, and only of this partner', async () => {
    await join('lists@team.test');
    for (const as of ['owner', 'moderator'] as const) {
      const { status, body } = await service.call('GET', '/partners/me/team', { as });
      assert.equal(status, 200);
      const mails = body.data.map((member: { email: string }) => member.email);
      assert.ok(mails.includes('lists@team.test') && mails.includes('owner@portal.test'));
      const joined = body.data.find((member: { email: string }) => member.email === 'lists@team.test');
      assert.deepEqual(
        [joined.partnerRole, joined.mfaEnabled, joined.authMethod, joined.status],
        ['moderator', false, 'password', 'active'],
      );
      assert.equal(body.seats.used, body.data.length + body.seats.pendingInvites);
      assert.ok(!body.data.some((member: { id: string }) => [idOf('rivalOwner'), idOf('clientUser')].includes(member.id)));
    }
    await service.assertRefused('GET', '/partners/me/team', { clientUser: 'role_forbidden', staff: 'role_forbidden' });
  });

  it('has the newest member first, also page by page and in its export', async () => {
    await join('newest@team.test');
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await service.call('GET', `/partners/me/team?limit=1${cursor && `&cursor=${cursor}`}`, { as: 'owner' });
      listed.push(...body.data.map((member: { email: string }) => member.email));
      cursor = body.nextCursor;
    }
    assert.deepEqual(listed.slice(0, 2), ['newest@team.test', 'lists@team.test']);
    const { body: whole } = await service.call('GET', '/partners/me/team?limit=100', { as: 'owner' });
    assert.deepEqual(
      whole.data.map((member: { email: string }) => member.email),
      listed,
    );
    const csv = await service.call('GET', '/partners/me/team/export.csv', { as: 'owner' });
    assert.ok(csv.text.indexOf('newest@team.test') < csv.text.indexOf('owner@portal.test'));
  });

  it('is changed by admins only', async () => {
    const member = await join('changed@team.test');
    const refused = { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' };
    await service.assertRefused('PATCH', `/partners/me/team/${member.id}`, refused, { partnerRole: 'admin' });
    await service.assertRefused('DELETE', `/partners/me/team/${member.id}`, refused);
    for (const foreign of [idOf('rivalOwner'), idOf('clientUser')]) {
      assert.equal((await change(foreign, 'moderator')).status, 404);
      assert.equal((await remove(foreign)).status, 404);
    }
  });
});

describe('a permission', () => {
  it('is changed for others only, and ends their sessions at once', async () => {
    const member = await join('promoted@team.test');
    assert.equal((await change(idOf('owner'), 'moderator')).body.code, 'cannot_change_own_permission');
    assert.equal((await remove(idOf('owner'))).body.code, 'cannot_change_own_permission');
    assert.equal((await service.call('GET', '/partners/me/team', member)).status, 200);
    assert.deepEqual((await change(member.id, 'admin')).body.partnerRole, 'admin');
    assert.equal((await service.call('GET', '/partners/me/team', member)).status, 401);
    const again = await signIn('promoted@team.test');
    const other = await join('invited-by-owner@team.test');
    assert.equal((await change(other.id, 'moderator', again)).status, 200);
    assert.equal((await change(member.id, 'moderator')).status, 200);
  });

  it('of an admin is given only after a recent login, and taken away without one', async () => {
    const id = idOf('moderator');
    const old = { headers: service.bearer('owner') };
    aheadMs += (LIMITS.recentLoginMinutes + 1) * 60_000;
    const refused = await change(id, 'admin', old);
    assert.deepEqual([refused.status, refused.body.code], [403, 'reauthentication_required']);
    assert.equal((await change(id, 'moderator', old)).body.partnerRole, 'moderator', 'nothing changed');
    assert.equal((await service.call('POST', '/auth/reauthenticate', { ...old, body: { password: WORLD_PASSWORD } })).status, 200);
    assert.equal((await change(id, 'admin', old)).body.partnerRole, 'admin');
    aheadMs += (LIMITS.recentLoginMinutes + 1) * 60_000;
    assert.equal((await change(id, 'moderator', old)).body.partnerRole, 'moderator');
    aheadMs = 0;
  });

  it('leaves one admin when two demote each other concurrently', async () => {
    const member = await join('duel@team.test');
    await change(member.id, 'admin');
    const duellist = await signIn('duel@team.test');
    const replies = await Promise.all([change(member.id, 'moderator'), change(idOf('owner'), 'moderator', duellist)]);
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1, JSON.stringify(replies.map((reply) => reply.body)));
    // The slower one is either refused as the last admin or its session has ended.
    const slower = replies.find((reply) => reply.status !== 200);
    assert.ok(['last_admin', 'unauthenticated'].includes(slower?.body.code), slower?.text);
    const admins = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('appUser').select('id').where('partnerId', '=', service.world.partnerId).where('partnerRole', '=', 'admin').execute(),
    );
    assert.equal(admins.length, 1);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('appUser')
        .set({ partnerRole: 'admin', sessionsValidFrom: new Date(0) })
        .where('id', '=', idOf('owner'))
        .execute(),
    );
  });
});

describe('a removed member', () => {
  it('is signed out at once, frees the seat, and stays in the audit log', async () => {
    const member = await join('leaves@team.test');
    const { body: earlier } = await service.call('GET', '/partners/me/team', { as: 'owner' });
    assert.equal((await remove(member.id)).status, 204);
    assert.equal((await remove(member.id)).status, 404);
    assert.equal((await service.call('GET', '/partners/me/team', member)).status, 401);
    assert.equal((await service.login('leaves@team.test', PASSWORD)).body.code, 'invalid_credentials');
    const { body: later } = await service.call('GET', '/partners/me/team', { as: 'owner' });
    assert.equal(later.seats.used, earlier.seats.used - 1);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('action').where('actorEmail', '=', 'leaves@team.test').execute(),
    );
    assert.ok(entries.some((entry) => entry.action === 'session.signed_in'));
  });
});

describe('staff', () => {
  it('end the sessions of a user, with a reason that is recorded, and the user gets a mail', async () => {
    const member = await join('stolen@team.test');
    await service.assertRefused(
      'POST',
      `/users/${member.id}/sign-out`,
      { owner: 'role_forbidden', clientUser: 'role_forbidden' },
      { reason: 'x' },
    );
    assert.equal(
      (await service.call('POST', `/users/${member.id}/sign-out`, { as: 'staff', body: { reason: 'Lost laptop' } })).status,
      204,
    );
    assert.equal((await service.call('GET', '/partners/me/team', member)).status, 401);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('kind').where('toAddress', '=', 'stolen@team.test').orderBy('id').execute(),
    );
    assert.equal(mails.filter((mail) => mail.kind === 'signed_out').length, 1, 'those who were refused sent none');
    assert.equal((await service.call('GET', '/partners/me/team', await signIn('stolen@team.test'))).status, 200);
    assert.equal(
      (await service.call('POST', `/users/${service.world.planId}/sign-out`, { as: 'staff', body: { reason: 'x' } })).status,
      404,
    );
  });

  it('disable a lost second step, and the user gets a mail', async () => {
    const member = await join('lost@team.test');
    const path = `/users/${member.id}/reset-mfa`;
    assert.equal((await service.call('POST', path, { as: 'staff', body: { reason: 'x' } })).body.code, 'invalid_state');
    const { body: setup } = await service.call('POST', '/auth/mfa/setup', { ...member, body: {} });
    const { TOTP, Secret } = await import('otpauth');
    const token = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate();
    assert.equal((await service.call('POST', '/auth/mfa/enable', { ...member, body: { token } })).body.mfaEnabled, true);
    assert.equal((await service.login('lost@team.test', PASSWORD)).body.mfaRequired, true);
    await service.assertRefused('POST', path, { owner: 'role_forbidden', clientUser: 'role_forbidden' }, { reason: 'x' });
    assert.equal((await service.call('POST', path, { as: 'staff', body: { reason: 'Phone lost' } })).status, 204);
    assert.equal((await service.login('lost@team.test', PASSWORD)).status, 200);
    assert.equal((await service.login('lost@team.test', PASSWORD)).body.user.mfaEnabled, false);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('kind').where('toAddress', '=', 'lost@team.test').orderBy('id').execute(),
    );
    assert.equal(mails.at(-1)?.kind, 'mfa_reset');
  });
});
