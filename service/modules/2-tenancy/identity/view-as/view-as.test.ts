import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { isAllowedInViewAs } from '@partner-portal/contract/view-as.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { users } from '@partner-portal/service/modules/2-tenancy/users/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: ({ db, cursors, mail }) => [users({ db, cursors, mail })] });
});
after(() => service.close());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>; // a token we just got
const me = (token: string) => service.call('GET', '/auth/me', bearer(token));
const view = (body: object, token: string) =>
  service.call('POST', '/auth/view-as', { ...bearer(token), body: { reason: 'They asked for help.', ...body } });
async function signIn(who: Person): Promise<string> {
  const { body } = await service.login(service.world.people[who].email);
  return body.accessToken;
}
/** Opens a view of the first client by this user. */
async function open(who: Person, body: object = { clientId: service.world.clientId }) {
  const own = await signIn(who);
  const { status, body: session } = await view(body, own);
  assert.equal(status, 200);
  assert.equal((await me(session.accessToken)).status, 200);
  return { own, token: session.accessToken as string, session };
}
const setRow = (table: 'client' | 'partner', id: string, status: string) =>
  service.db.asSystem('seed', (tx) => tx.updateTable(table).set({ status }).where('id', '=', id).execute());

describe('opening a view-as session', () => {
  it('gives a partner user a view of its client: for half an hour, under their own name, with the client\u2019s role', async () => {
    for (const who of ['owner', 'moderator'] as const) {
      const { session } = await open(who);
      const { people, clientId, partnerId } = service.world;
      const { iat, exp, jti, ...claims } = claimsOf(session.accessToken);
      assert.deepEqual(claims, {
        sub: people[who].userId,
        email: people[who].email,
        role: 'CLIENT',
        partnerId,
        clientId,
        authMethod: 'view_as',
        act: { sub: people[who].userId },
      });
      assert.equal(Number(exp) - Number(iat), 30 * 60);
      assert.equal(session.expiresAt, new Date(Number(exp) * 1000).toISOString());
      assert.ok(jti);
      const { user } = session;
      assert.deepEqual(
        [user.role, user.client.name, user.authMethod, user.viewAs.reason],
        ['CLIENT', 'Oak Street Dental', 'view_as', 'They asked for help.'],
      );
    }
  });

  it('gives staff a view of a partner, with the permissions of a moderator, or of a client', async () => {
    const { rivalPartnerId, rivalClientId } = service.world;
    const partner = await open('staff', { partnerId: rivalPartnerId });
    assert.deepEqual(
      [partner.session.user.role, partner.session.user.partnerRole, partner.session.user.partner.name],
      ['PARTNER', 'moderator', 'Rival Agency'],
    );
    const seen = await me(partner.token);
    assert.equal(seen.body.partner.id, rivalPartnerId);
    assert.equal(seen.body.features.sso, true);
    const client = await open('staff', { clientId: rivalClientId });
    assert.deepEqual([client.session.user.role, client.session.user.clientId], ['CLIENT', rivalClientId]);
    const both = await view({ partnerId: rivalPartnerId, clientId: rivalClientId }, await signIn('staff'));
    assert.equal(both.status, 200);
  });

  it('has read permissions only', async () => {
    const { token } = await open('owner');
    const { body } = await me(token);
    assert.ok(body.permissions.length > 0);
    assert.deepEqual(
      body.permissions.filter((permission: string) => !/\.(view|payloads)$/.test(permission)),
      [],
    );
    assert.deepEqual([body.admins, body.user.viewAs.name], [[], 'Owner Tester']);
  });

  it('is refused for accounts the caller may not see and unknown ones', async () => {
    const { world } = service;
    const owner = await signIn('owner');
    for (const clientId of [world.rivalClientId, '019a0000-0000-7000-8000-000000000000'])
      assert.deepEqual((await view({ clientId }, owner)).body.code, 'not_found');
    assert.equal((await view({ partnerId: world.partnerId, clientId: world.clientId }, owner)).body.code, 'scope_forbidden');
    const without = await view({}, owner);
    assert.deepEqual([without.status, without.body.errors[0].field], [422, 'clientId']);
    const staff = await signIn('staff');
    assert.equal((await view({ partnerId: world.housePartnerId }, staff)).body.code, 'not_found');
    assert.equal((await view({ partnerId: world.partnerId, clientId: world.rivalClientId }, staff)).body.code, 'not_found');
    assert.deepEqual((await view({}, staff)).body.errors[0].field, 'partnerId');
    assert.equal((await view({ clientId: world.clientId, reason: ' ' }, owner)).body.errors[0].field, 'reason');
    await service.assertRefused('POST', '/auth/view-as', { clientUser: 'role_forbidden' }, { clientId: world.clientId, reason: 'x' });
  });

  it('is audited with viewing user and viewed account', async () => {
    const { token, session } = await open('staff', { partnerId: service.world.partnerId });
    assert.equal((await service.call('POST', '/auth/view-as/end', bearer(token))).status, 204);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'actorType', 'actorEmail', 'partnerId', 'targetLabel', 'changes'])
        .where('action', 'like', 'view_as.%')
        .orderBy('id', 'desc')
        .limit(2)
        .execute(),
    );
    assert.deepEqual(
      entries.map(({ action, partnerId, targetLabel, actorEmail }) => [action, partnerId, targetLabel, actorEmail]),
      [
        ['view_as.ended', service.world.partnerId, 'Acme Agency', 'staff@portal.test'],
        ['view_as.started', service.world.partnerId, 'Acme Agency', 'staff@portal.test'],
      ],
    );
    assert.deepEqual(entries[1]?.changes, { reason: [null, 'They asked for help.'] });
    const stored = await service.db.asTenant({ kind: 'tenant', partnerId: service.world.partnerId, clientId: null }, (tx) =>
      tx
        .selectFrom('viewAsSession')
        .select(['actingName', 'endedAt'])
        .where('id', '=', String(claimsOf(session.accessToken)['jti']))
        .execute(),
    );
    assert.equal(stored[0]?.actingName, 'Staff Tester');
    assert.ok(stored[0]?.endedAt);
  });
});

describe('a view-as session', () => {
  it('ends alone when it is closed', async () => {
    for (const path of ['/auth/view-as/end', '/auth/logout']) {
      const { own, token } = await open('owner');
      assert.equal((await service.call('POST', path, bearer(token))).status, 204);
      assert.equal((await me(token)).body.code, 'unauthenticated');
      assert.equal((await me(own)).status, 200);
    }
    const own = await service.call('POST', '/auth/view-as/end', bearer(await signIn('owner')));
    assert.deepEqual([own.status, own.body.code], [409, 'invalid_state']);
  });

  it('ends with the session it was opened from', async () => {
    const { own, token } = await open('owner');
    const unrelated = await open('owner');
    assert.equal((await service.call('POST', '/auth/logout', bearer(own))).status, 204);
    assert.equal((await me(token)).body.code, 'unauthenticated');
    assert.equal((await me(unrelated.token)).status, 200);
  });

  it('ends with every session of the viewing user: signed out everywhere, disabled, suspended', async () => {
    const everywhere = await open('owner');
    assert.equal((await service.call('POST', '/auth/logout-all', bearer(everywhere.own))).status, 204);
    assert.equal((await me(everywhere.token)).body.code, 'unauthenticated');

    const suspended = await open('owner');
    await setRow('partner', service.world.partnerId, 'suspended');
    assert.equal((await me(suspended.token)).body.code, 'unauthenticated');
    await setRow('partner', service.world.partnerId, 'active');

    const { userId } = service.world.people.moderator;
    const disabled = await open('moderator');
    const set = (status: string) => service.call('PATCH', `/users/${userId}`, { as: 'staff', body: { status } });
    assert.equal((await set('disabled')).status, 200);
    assert.equal((await me(disabled.token)).body.code, 'unauthenticated');
    assert.equal((await set('active')).status, 200);
    assert.equal((await me(disabled.token)).body.code, 'unauthenticated');
  });

  it('ends when the viewing user may no longer view the account', async () => {
    const { token } = await open('owner');
    const { userId, partnerId } = service.world.people.owner;
    const move = (id: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ partnerId: id }).where('id', '=', userId).execute());
    await move(service.world.rivalPartnerId);
    assert.equal((await me(token)).body.code, 'unauthenticated');
    await move(partnerId);
    assert.equal((await me(token)).status, 200);
  });

  it('shows a suspended client what a suspended client sees, and of a deleted one nothing', async () => {
    const { token } = await open('staff', { clientId: service.world.otherClientId });
    await setRow('client', service.world.otherClientId, 'suspended');
    assert.equal((await me(token)).status, 200);
    assert.equal(await service.db.assertSession(actorOf(token)).catch((error: { code: string }) => error.code), 'account_suspended');
    await setRow('client', service.world.otherClientId, 'deleted');
    assert.equal((await me(token)).body.code, 'unauthenticated');
    await setRow('client', service.world.otherClientId, 'active');
    assert.equal((await me(token)).status, 200);
  });

  it('ends after half an hour, in the database too', async () => {
    const { token } = await open('owner');
    const id = String(claimsOf(token)['jti']);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('viewAsSession')
        .set({ expiresAt: new Date(Date.now() - 60_000) })
        .where('id', '=', id)
        .execute(),
    );
    assert.equal((await me(token)).body.code, 'unauthenticated');
  });

  it('does not outlive the session it is opened from', async () => {
    const short = service.sessions.issue({ ...service.world.people.owner, authMethod: 'password' }, 60);
    // Issued in this second, in which an earlier test may have ended sessions.
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('appUser')
        .set({ sessionsValidFrom: new Date(0) })
        .where('id', '=', service.world.people.owner.userId)
        .execute(),
    );
    const { body } = await view({ clientId: service.world.clientId }, short.accessToken);
    assert.ok(Date.parse(body.expiresAt) <= short.expiresAt.getTime() + 1000);
  });

  it('cannot be forged: a signed token without its row, or of another partner, is rejected', async () => {
    const { people, clientId, rivalClientId, rivalPartnerId, partnerId } = service.world;
    const facts = {
      userId: people.owner.userId,
      email: 'x@y.z',
      role: 'CLIENT',
      authMethod: 'view_as',
      actingUserId: people.owner.userId,
    } as const;
    for (const scope of [
      { partnerId, clientId },
      { partnerId: rivalPartnerId, clientId: rivalClientId },
    ])
      assert.equal((await me(service.sessions.issue({ ...facts, ...scope }).accessToken)).body.code, 'unauthenticated');
  });
});

describe('in a view-as session', () => {
  it('every route that writes or shows a secret is refused, and no other', async () => {
    const open: string[] = [];
    for (const [name, route] of Object.entries(routes) as [string, RouteShape][])
      if (route.access.kind === 'session' && route.method !== 'GET' && isAllowedInViewAs(route)) open.push(name);
    assert.deepEqual(
      open.toSorted((a, b) => a.localeCompare(b)),
      ['endViewAs', 'followTogether', 'logout', 'preflight', 'previewCopies', 'readTogether'],
    );
    const shut = (Object.entries(routes) as [string, RouteShape][]).filter(
      ([, route]) => route.method === 'GET' && !isAllowedInViewAs(route),
    );
    assert.deepEqual(
      shut.map(([name]) => name),
      [
        'logoutAddress',
        'listSessions',
        'getIngestUrl',
        'listExports',
        'exportAccountExports',
        'streamExports',
        'getExport',
        'downloadExport',
      ],
    );
  });

  it('the viewing user’s own account cannot be changed', async () => {
    const { token } = await open('owner');
    const calls = [
      ['PATCH', '/auth/me', { fullName: 'Somebody Else' }],
      ['POST', '/auth/logout-all', undefined],
      ['POST', '/auth/change-password', { currentPassword: 'seven green sparrows', newPassword: 'nine quiet herons' }],
      ['POST', '/auth/mfa/setup', {}],
      ['POST', '/auth/mfa/enable', { token: '123456' }],
      ['POST', '/auth/mfa/disable', { token: '123456' }],
      ['POST', '/auth/mfa/recovery-codes', { token: '123456' }],
      ['POST', '/auth/view-as', { clientId: service.world.clientId, reason: 'again' }],
    ] as const;
    for (const [method, path, body] of calls) {
      const reply = await service.call(method, path, { ...bearer(token), body });
      assert.equal(reply.status, 403, path);
      assert.ok(['view_as_read_only', 'role_forbidden'].includes(reply.body.code), `${path} ${reply.body.code}`);
    }
    const partner = await open('staff', { partnerId: service.world.partnerId });
    const again = await view({ clientId: service.world.clientId }, partner.token);
    assert.equal(again.body.code, 'view_as_read_only');
  });
});

/** Returns the claims of a session token, as the service reads them. */
function actorOf(token: string) {
  return service.sessions.read(`Bearer ${token}`);
}
