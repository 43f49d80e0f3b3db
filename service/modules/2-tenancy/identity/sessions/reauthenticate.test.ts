import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD, type Person } from '@partner-portal/tests/harness/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
let service: TestService;
before(async () => {
  service = await startTestService({ clock, sessionRules: { idleSeconds: { ADMIN: 8 * 3600, PARTNER: null, CLIENT: 3600 } } });
});
after(() => service.close());

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const logIn = async (who: Person, password = PASSWORD): Promise<string> =>
  (await service.login(service.world.people[who].email, password)).body.accessToken as string; // the contract's session
const post = (token: string, path: string, body: object = {}): Promise<TestReply> =>
  service.call('POST', path, { headers: bearer(token), body });
const codes = ({ status, body }: TestReply): unknown[] => [status, body?.code];
const NEEDED = [403, 'reauthentication_required'];

describe('a route that changes what protects an account', () => {
  it('declares that it needs a recent login', () => {
    const declared = Object.entries<RouteShape>(routes).filter(([, route]) => route.needsRecentLogin);
    assert.deepEqual(declared.map(([name]) => name).toSorted(), [
      'addSsoKey',
      'approveDeletion',
      'deleteCredential',
      'deleteSsoConnection',
      'disableMfa',
      'enableMfa',
      'enforceSso',
      'makeAdmin',
      'putSsoConnection',
      'releaseSso',
      'renewRecoveryCodes',
      'requestDeletion',
      'resetUserMfa',
      'setUpMfa',
      'useSsoKey',
    ]);
  });

  it('works a few minutes after the login, later only once the password was entered again, and for a few minutes', async () => {
    const token = await logIn('owner');
    aheadMs += (LIMITS.recentLoginMinutes - 1) * MINUTE;
    assert.equal((await post(token, '/auth/mfa/setup')).status, 200);
    aheadMs += 2 * MINUTE;
    const refused = await post(token, '/auth/mfa/setup');
    assert.deepEqual(codes(refused), NEEDED);
    assert.match(refused.body.detail, /\/auth\/reauthenticate/);
    assert.deepEqual(codes(await post(token, '/auth/reauthenticate', { password: 'a wrong guess' })), [401, 'invalid_credentials']);
    assert.deepEqual(codes(await post(token, '/auth/mfa/setup')), NEEDED);
    const confirmed = await post(token, '/auth/reauthenticate', { password: PASSWORD });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(Math.round((Date.parse(confirmed.body.confirmedUntil) - clock.now().getTime()) / MINUTE), LIMITS.recentLoginMinutes);
    assert.equal((await post(token, '/auth/mfa/setup')).status, 200);
    aheadMs += (LIMITS.recentLoginMinutes + 1) * MINUTE;
    assert.deepEqual(codes(await post(token, '/auth/mfa/setup')), NEEDED);
  });

  it('is confirmed for one session, and not for the others of its user', async () => {
    const [one, two] = [await logIn('owner'), await logIn('owner')];
    aheadMs += HOUR;
    assert.equal((await post(one, '/auth/reauthenticate', { password: PASSWORD })).status, 200);
    assert.equal((await post(one, '/auth/mfa/setup')).status, 200);
    assert.deepEqual(codes(await post(two, '/auth/mfa/setup')), NEEDED);
  });

  it('is open to a session of an identity provider after a fresh login there, and says so', async () => {
    const { accessToken } = service.sessions.issue({ ...service.world.people.owner, authMethod: 'oidc' });
    assert.equal((await post(accessToken, '/auth/mfa/setup')).status, 200);
    aheadMs += HOUR;
    const refused = await post(accessToken, '/auth/mfa/setup');
    assert.deepEqual(codes(refused), NEEDED);
    assert.match(refused.body.detail, /identity provider again/);
  });

  it('writes nothing in the audit log when it asks for the password, but each confirmation', async () => {
    const entries = (action: string) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .selectFrom('auditEntry')
          .select('result')
          .where('action', '=', action)
          .where('actorEmail', '=', 'moderator@portal.test')
          .execute(),
      );
    const token = await logIn('moderator');
    aheadMs += HOUR;
    assert.deepEqual(codes(await post(token, '/auth/mfa/setup')), NEEDED);
    assert.deepEqual(await entries('mfa.setup_started'), []);
    assert.equal((await post(token, '/auth/reauthenticate', { password: PASSWORD })).status, 200);
    assert.deepEqual(await entries('session.reauthenticated'), [{ result: 'ok' }]);
  });
});

describe('confirming a session', () => {
  it('leaves each wrong password or code of a session in the audit log, with who it was', async () => {
    const { people, partnerId } = service.world;
    const token = await logIn('moderator');
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('auditEntry').execute());
    const wrong = { currentPassword: 'a wrong guess', newPassword: 'a long new passphrase 77' };
    assert.equal((await post(token, '/auth/mfa/setup')).status, 200);
    assert.deepEqual(codes(await post(token, '/auth/reauthenticate', { password: 'a wrong guess' })), [401, 'invalid_credentials']);
    assert.deepEqual(codes(await post(token, '/auth/change-password', wrong)), [401, 'invalid_credentials']);
    assert.deepEqual(codes(await post(token, '/auth/mfa/enable', { token: '000000' })), [401, 'invalid_mfa_code']);
    assert.equal((await service.call('POST', '/auth/reauthenticate', { body: { password: PASSWORD } })).status, 401);
    const entries = await service.db.asSystem('seed', (tx) => tx.selectFrom('auditEntry').selectAll().orderBy('id').execute());
    assert.deepEqual(
      entries.map(({ partnerId: of, actorId, action, result, changes }) => [of, actorId, action, result, changes]),
      [
        [partnerId, people.moderator.userId, 'mfa.setup_started', 'ok', {}],
        [partnerId, people.moderator.userId, 'session.reauthenticated', 'refused', { refusal: [null, 'invalid_credentials'] }],
        [partnerId, people.moderator.userId, 'user.password_changed', 'refused', { refusal: [null, 'invalid_credentials'] }],
        [partnerId, people.moderator.userId, 'mfa.enabled', 'refused', { refusal: [null, 'invalid_mfa_code'] }],
      ],
    );
  });

  it('has ten attempts of its own, which strangers cannot use up', async () => {
    const email = service.world.people.owner.email;
    const token = await logIn('owner');
    while (!(await service.limits.count('loginFailureOfAccount', email)).exceeded);
    assert.equal((await post(token, '/auth/reauthenticate', { password: PASSWORD })).status, 200);
    for (let n = 0; n < LIMITS.loginFailuresPerAddress; n += 1)
      assert.equal((await post(token, '/auth/reauthenticate', { password: 'a wrong guess' })).status, 401);
    assert.equal((await post(token, '/auth/reauthenticate', { password: PASSWORD })).status, 429);
    await service.limits.forget('loginFailureOfAccount', email);
    assert.equal((await service.login(email)).status, 200);
  });

  it('is not possible with the password where single sign-on is enforced', async () => {
    const ssoUrl = 'http://portal.test/login?sso=northwind';
    const enforced = await startTestService({
      clock,
      database: service.database,
      world: service.world,
      identity: { ssoRequirement: async () => ({ ssoUrl }) },
    });
    try {
      const reply = await enforced.call('POST', '/auth/reauthenticate', { as: 'owner', body: { password: PASSWORD } });
      assert.deepEqual([...codes(reply), reply.body.ssoUrl], [403, 'sso_required', ssoUrl]);
      // A new password opens a new session, which would count as a login just now.
      const body = { currentPassword: PASSWORD, newPassword: 'nine quiet herons' };
      const changed = await enforced.call('POST', '/auth/change-password', { as: 'owner', body });
      assert.deepEqual([...codes(changed), changed.body.ssoUrl], [403, 'sso_required', ssoUrl]);
    } finally {
      await enforced.close();
    }
  });

  it('needs a session that is no view-as session', async () => {
    await service.assertRefused('POST', '/auth/reauthenticate', {}, { password: PASSWORD });
    const view = await service.call('POST', '/auth/view-as', {
      as: 'staff',
      body: { partnerId: service.world.partnerId, reason: 'A question of theirs' },
    });
    assert.deepEqual(codes(await post(view.body.accessToken, '/auth/reauthenticate', { password: PASSWORD })), [403, 'view_as_read_only']);
  });
});
