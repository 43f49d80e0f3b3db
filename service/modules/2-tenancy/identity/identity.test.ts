import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD } from '@partner-portal/tests/harness/world.ts';
import { createRateLimits } from '#platform/http/rate-limit.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { Secret } from '#platform/secret.ts';
import { argon2Hasher, type Hasher } from './login/hasher.ts';
import { seedAdmin } from './index.ts';
import { logIn } from './login/log-in.ts';
import { endSessions } from './store.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>; // a token we just got
const noSso = async () => null;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('signing in', () => {
  it('returns a session with exactly the documented claims', async () => {
    const { people } = service.world;
    const expected = [
      { who: people.owner, extra: { partnerRole: 'admin' } },
      { who: people.moderator, extra: { partnerRole: 'moderator' } },
      { who: people.clientUser, extra: { clientId: service.world.clientId } },
      { who: people.staff, extra: {} },
    ];
    for (const { who, extra } of expected) {
      const { status, body } = await service.login(who.email);
      assert.equal(status, 200);
      const { iat, exp, jti, ...claims } = claimsOf(body.accessToken);
      assert.deepEqual(claims, {
        sub: who.userId,
        email: who.email,
        role: who.role,
        partnerId: who.partnerId,
        authMethod: 'password',
        ...extra,
      });
      assert.equal(Number(exp) - Number(iat), 86_400);
      assert.match(String(jti), /^[0-9a-f-]{36}$/);
      assert.equal(body.expiresAt, new Date(Number(exp) * 1000).toISOString());
      assert.equal(body.user.id, who.userId);
      assert.equal('passwordHash' in body.user, false);
    }
  });

  it('accepts the address in any case', async () => {
    assert.equal((await service.login('  OWNER@portal.test ')).status, 200);
  });

  it('is written to the audit log and moves lastLoginAt', async () => {
    const { body } = await service.login('moderator@portal.test');
    assert.ok(Math.abs(Date.parse(body.user.lastLoginAt) - Date.now()) < 60_000);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'actorEmail'])
        .where('action', '=', 'session.signed_in')
        .where('actorEmail', '=', 'moderator@portal.test')
        .execute(),
    );
    assert.ok(entries.length > 0);
  });

  it('returns the same for an unknown address and a wrong password', async () => {
    const unknown = await service.login('nobody@portal.test', 'some wrong password');
    const wrong = await service.login('owner@portal.test', 'some wrong password');
    assert.equal(unknown.status, 401);
    assert.deepEqual({ ...unknown.body, requestId: '' }, { ...wrong.body, requestId: '' });
    assert.equal(unknown.body.code, 'invalid_credentials');
  });

  it('that fails is audited at the partner, for an unknown address at the house partner', async () => {
    await service.login('moderator@portal.test', 'some wrong password');
    await service.login('nobody-known@portal.test', 'some wrong password');
    const { partnerId, housePartnerId } = service.world;
    for (const [email, log] of [
      ['moderator@portal.test', partnerId],
      ['nobody-known@portal.test', housePartnerId],
    ] as const) {
      const entries = await service.db.asSystem('seed', (tx) =>
        tx
          .selectFrom('auditEntry')
          .select(['partnerId', 'result', 'ip'])
          .where('action', '=', 'session.sign_in_failed')
          .where('targetLabel', '=', email)
          .execute(),
      );
      assert.deepEqual(entries, [{ partnerId: log, result: 'refused', ip: '127.0.0.1' }], email);
    }
  });

  it('does the same work for an unknown address as for a known one', async () => {
    let verified = 0;
    const hasher: Hasher = { ...argon2Hasher, verify: (hash, password) => ((verified += 1), argon2Hasher.verify(hash, password)) };
    const deps = {
      ...service,
      limits: createRateLimits(rateLimitWindows()),
      hasher,
      dummyHash: () => argon2Hasher.hash('dummy'),
      ssoRequirement: noSso,
    };
    const caller = { address: '192.0.2.9', userAgent: 'test', requestId: 'r', now: new Date() };
    for (const email of ['nobody@portal.test', 'owner@portal.test']) {
      verified = 0;
      await assert.rejects(logIn(deps, caller, { email, password: 'wrong password' }), { code: 'invalid_credentials' });
      assert.equal(verified, 1, email);
    }
  });

  it('has the permission at the time it is opened, not when the password was verified', async () => {
    const setPermission = (partnerRole: string) =>
      service.db.asSystem('seed', async (tx) => {
        await tx.updateTable('appUser').set({ partnerRole }).where('email', '=', 'owner@portal.test').execute();
        await endSessions(tx, service.world.people.owner.userId);
      });
    for (const [change, permission] of [
      [async () => undefined, 'admin'],
      [() => setPermission('moderator'), 'moderator'],
    ] as const) {
      const hasher: Hasher = {
        ...argon2Hasher,
        verify: async (hash, password) => {
          const isRight = await argon2Hasher.verify(hash, password);
          await change();
          return isRight;
        },
      };
      const deps = { ...service, limits: createRateLimits(rateLimitWindows()), hasher, dummyHash: async () => '', ssoRequirement: noSso };
      const caller = { address: '192.0.2.9', userAgent: 'test', requestId: 'r', now: new Date() };
      const opened = await logIn(deps, caller, { email: 'owner@portal.test', password: PASSWORD });
      assert.ok('accessToken' in opened);
      assert.deepEqual([claimsOf(opened.accessToken)['partnerRole'], opened.user.partnerRole], [permission, permission]);
    }
    await setPermission('admin');
    // Ending sessions takes effect up to a second later; sessions of the next tests must stay valid.
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('appUser')
        .set({ sessionsValidFrom: new Date(0) })
        .where('email', '=', 'owner@portal.test')
        .execute(),
    );
  });

  it('reveals a disabled user to a correct password only', async () => {
    await setStatus('otherClientUser@portal.test'.toLowerCase(), 'disabled');
    assert.equal((await service.login('otherclientuser@portal.test', 'wrong password')).body.code, 'invalid_credentials');
    const right = await service.login('otherclientuser@portal.test');
    assert.deepEqual([right.status, right.body.code], [403, 'user_disabled']);
    await setStatus('otherclientuser@portal.test', 'active');
    assert.equal((await service.login('otherclientuser@portal.test')).status, 200);
  });

  it('lets a user of a suspended account sign in, to the profile only', async () => {
    await suspend('suspended');
    const { status, body } = await service.login('rivalowner@portal.test');
    assert.equal(status, 200);
    const me = await service.call('GET', '/auth/me', bearer(body.accessToken));
    assert.deepEqual([me.status, me.body.partner.status], [200, 'suspended']);
    await suspend('active');
  });

  it('refuses unreadable and incomplete bodies', async () => {
    const broken = await service.call('POST', '/auth/login', { rawBody: '{"email":' });
    assert.deepEqual([broken.status, broken.body.code], [400, 'malformed_json']);
    const empty = await service.call('POST', '/auth/login', { body: {} });
    assert.deepEqual([empty.status, empty.body.code, empty.body.errors.length], [422, 'validation_failed', 2]);
    const wrong = await service.call('POST', '/auth/login', { body: { email: 'not an address', password: 'x'.repeat(300) } });
    assert.deepEqual(wrong.body.errors.map((error: { field: string }) => error.field).toSorted(), ['email', 'password']);
  });
});

describe('failed sign-ins', () => {
  it('stop after ten for one address, even with the correct password, with a retry time', async () => {
    const fresh = await startTestService();
    try {
      for (let n = 0; n < 10; n++) assert.equal((await fresh.login('owner@portal.test', 'wrong password')).status, 401);
      const locked = await fresh.login('owner@portal.test');
      assert.deepEqual([locked.status, locked.body.code], [429, 'rate_limited']);
      assert.ok(Number(locked.headers['retry-after']) > 0 && locked.body.retryAfterSeconds <= 900);
      assert.equal((await fresh.login('moderator@portal.test')).status, 200);
    } finally {
      await fresh.close();
    }
  });

  it('are cleared by a correct password', async () => {
    const fresh = await startTestService();
    try {
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < 9; n++) assert.equal((await fresh.login('owner@portal.test', 'wrong password')).status, 401);
        assert.equal((await fresh.login('owner@portal.test')).status, 200);
      }
    } finally {
      await fresh.close();
    }
  });

  it('do not include many concurrent correct passwords from one address', async () => {
    const fresh = await startTestService();
    try {
      const replies = await Promise.all(Array.from({ length: 25 }, () => fresh.login('owner@portal.test')));
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]));
    } finally {
      await fresh.close();
    }
  });

  it('cannot exceed the limit concurrently', async () => {
    const deps = {
      ...service,
      limits: createRateLimits(rateLimitWindows()),
      hasher: { ...argon2Hasher, verify: async () => false },
      dummyHash: async () => 'x',
      ssoRequirement: noSso,
    };
    const caller = { address: '192.0.2.10', userAgent: 'test', requestId: 'r', now: new Date() };
    const tries = Array.from({ length: 40 }, () =>
      logIn(deps, caller, { email: 'owner@portal.test', password: 'guess' }).catch((error: { code: string }) => error.code),
    );
    const codes = await Promise.all(tries);
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 10);
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 30);
  });

  it('do not include many concurrent correct passwords from many addresses, but guesses from as many', async () => {
    const fromEverywhere = async (isRight: boolean) => {
      const deps = {
        ...service,
        limits: createRateLimits(rateLimitWindows()),
        hasher: { ...argon2Hasher, verify: async () => isRight },
        dummyHash: async () => 'x',
        ssoRequirement: noSso,
      };
      const tries = Array.from({ length: 130 }, (_, n) =>
        logIn(
          deps,
          { address: `192.0.2.${n}`, userAgent: 'test', requestId: 'r', now: new Date() },
          { email: 'owner@portal.test', password: 'one of the two' },
        ).then(
          () => 'in',
          (error: { code: string }) => error.code,
        ),
      );
      return Object.entries(Object.groupBy(await Promise.all(tries), (end) => end)).map(([end, all]) => [end, all?.length]);
    };
    assert.deepEqual(await fromEverywhere(true), [['in', 130]]);
    assert.deepEqual(await fromEverywhere(false), [
      ['invalid_credentials', LIMITS.loginFailuresPerAccount],
      ['rate_limited', 130 - LIMITS.loginFailuresPerAccount],
    ]);
  });

  it('cannot exceed the limit across two processes', async () => {
    const processes = [0, 1].map(() => ({
      ...service,
      limits: createRateLimits(rateLimitWindows(), { pool: service.pool }),
      hasher: { ...argon2Hasher, verify: async () => false },
      dummyHash: async () => 'x',
      ssoRequirement: noSso,
    }));
    const caller = { address: '192.0.2.12', userAgent: 'test', requestId: 'r', now: new Date() };
    const tries = Array.from({ length: 20 }, () =>
      processes.map((deps) =>
        logIn(deps, caller, { email: 'owner@portal.test', password: 'guess' }).catch((error: { code: string }) => error.code),
      ),
    );
    const codes = await Promise.all(tries.flat());
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 10);
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 30);
  });

  it('stop after a hundred from one network address, for any e-mails', async () => {
    const deps = {
      ...service,
      limits: createRateLimits(rateLimitWindows()),
      hasher: { ...argon2Hasher, verify: async () => false },
      dummyHash: async () => 'x',
      ssoRequirement: noSso,
    };
    const caller = { address: '192.0.2.11', userAgent: 'test', requestId: 'r', now: new Date() };
    const codes: unknown[] = [];
    for (let n = 0; n < 101; n++) {
      codes.push(
        await logIn(deps, caller, { email: `guess${n}@portal.test`, password: 'guess' }).catch((error: { code: string }) => error.code),
      );
    }
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 100);
    assert.equal(codes.at(-1), 'rate_limited');
  });
});

describe('the own profile', () => {
  it('contains permissions, features and admins to contact', async () => {
    const { body } = await service.call('GET', '/auth/me', { as: 'moderator' });
    assert.deepEqual(body.admins, ['Owner Tester']);
    assert.ok(body.permissions.includes('clients.view'));
    assert.equal(body.permissions.includes('clients.manage'), false);
    assert.equal(body.features.sso, true);
    assert.equal(body.user.partnerRole, 'moderator');
    const client = await service.call('GET', '/auth/me', { as: 'clientUser' });
    assert.deepEqual(client.body.client, { id: service.world.clientId, name: 'Oak Street Dental' });
    assert.deepEqual(client.body.admins, []);
    assert.deepEqual([client.body.features, client.body.user.features], [body.features, body.features]);
    const staff = await service.call('GET', '/auth/me', { as: 'staff' });
    assert.equal(staff.body.partner.id, service.world.housePartnerId);
  });

  it('takes one statement inside its transaction', async () => {
    assert.equal(await service.countStatements(() => service.call('GET', '/auth/me', { as: 'owner' })), 4);
  });

  it('changes, for a moderator too, and leaves before and after in the audit log', async () => {
    const change = { fullName: ' Theo Brandt ', theme: 'dark' };
    const foreign = await service.call('PATCH', '/auth/me', { as: 'moderator', body: { ...change, role: 'ADMIN' } });
    assert.deepEqual([foreign.status, foreign.body.errors[0].field], [422, 'role']);
    const { status, body } = await service.call('PATCH', '/auth/me', { as: 'moderator', body: change });
    assert.deepEqual([status, body.fullName, body.theme, body.role], [200, 'Theo Brandt', 'dark', 'PARTNER']);
    const entry = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('changes').where('action', '=', 'user.profile_changed').executeTakeFirstOrThrow(),
    );
    assert.deepEqual(entry.changes, { theme: ['system', 'dark'], fullName: ['Moderator Tester', 'Theo Brandt'] });
  });

  it('refuses a stale change', async () => {
    const { body: me } = await service.call('GET', '/auth/me', { as: 'owner' });
    const match = { 'if-match': `"${me.user.updatedAt}"` };
    const first = await service.call('PATCH', '/auth/me', { as: 'owner', body: { locale: 'de-DE' }, headers: match });
    assert.equal(first.status, 200);
    const second = await service.call('PATCH', '/auth/me', { as: 'owner', body: { locale: 'fr-FR' }, headers: match });
    assert.deepEqual([second.status, second.body.code], [412, 'stale_record']);
  });

  it('takes any language tag, and refuses what is none', async () => {
    for (const tag of ['es', 'de-AT', 'fr-FR', 'zh-Hant-TW'])
      assert.equal((await service.call('PATCH', '/auth/me', { as: 'clientUser', body: { locale: tag } })).body.locale, tag);
    for (const tag of ['', 'e', 'english!', 'de_DE', 'de--AT', 7])
      assert.deepEqual(
        (await service.call('PATCH', '/auth/me', { as: 'clientUser', body: { locale: tag } })).body.errors?.map(
          ({ field }: { field: string }) => field,
        ),
        ['locale'],
        String(tag),
      );
  });

  it('refuses wrong values and callers without a session', async () => {
    const wrong = await service.call('PATCH', '/auth/me', { as: 'owner', body: { timezone: 'Mars/Base', theme: 'pink', fullName: '' } });
    assert.deepEqual([wrong.status, wrong.body.errors.length], [422, 3]);
    await service.assertRefused('GET', '/auth/me', {});
    await service.assertRefused('PATCH', '/auth/me', {}, {});
    const forged = await service.call('GET', '/auth/me', { headers: { authorization: 'Bearer abc.def.ghi' } });
    assert.equal(forged.status, 401);
  });
});

describe('ending sessions', () => {
  it('signing out ends this session at once and leaves the others', async () => {
    const [one, other] = [await service.login('owner@portal.test'), await service.login('owner@portal.test')];
    assert.equal((await service.call('POST', '/auth/logout', bearer(one.body.accessToken))).status, 204);
    const dead = await service.call('GET', '/auth/me', bearer(one.body.accessToken));
    assert.deepEqual([dead.status, dead.body.code], [401, 'unauthenticated']);
    assert.equal((await service.call('POST', '/auth/logout', bearer(one.body.accessToken))).status, 401);
    assert.equal((await service.call('GET', '/auth/me', bearer(other.body.accessToken))).status, 200);
  });

  it('signing out everywhere ends all of them, also those of this very second, and a new sign-in works at once', async () => {
    const sessions = [await service.login('owner@portal.test'), await service.login('owner@portal.test')];
    const [first] = sessions;
    assert.equal((await service.call('POST', '/auth/logout-all', bearer(first?.body.accessToken))).status, 204);
    for (const { body } of sessions) assert.equal((await service.call('GET', '/auth/me', bearer(body.accessToken))).status, 401);
    const again = await service.login('owner@portal.test');
    assert.equal((await service.call('GET', '/auth/me', bearer(again.body.accessToken))).status, 200);
  });

  it('signing out everywhere twice within a second ends what was opened in between', async () => {
    for (let round = 0; round < 3; round++) {
      const { body } = await service.login('owner@portal.test');
      assert.equal((await service.call('POST', '/auth/logout-all', bearer(body.accessToken))).status, 204);
      assert.equal((await service.call('GET', '/auth/me', bearer(body.accessToken))).body.code, 'unauthenticated');
    }
  });

  it('needs a session', async () => {
    await service.assertRefused('POST', '/auth/logout', {});
    await service.assertRefused('POST', '/auth/logout-all', {});
  });
});

describe('the seeded ADMIN', () => {
  const seed = (email: string, password = PASSWORD) =>
    seedAdmin({ db: service.db, hasher: argon2Hasher }, { email, password: new Secret(password) });

  it('is created once, in the house partner, and can sign in', async () => {
    assert.deepEqual(await seed('Root@portal.test'), { created: true });
    assert.deepEqual(await seed('root@portal.test', 'another good secret'), { created: false });
    const { status, body } = await service.login('root@portal.test');
    assert.deepEqual([status, body.user.role, body.user.partnerId], [200, 'ADMIN', service.world.housePartnerId]);
  });

  it('is refused with a weak password or the address of a partner user', async () => {
    await assert.rejects(seed('weak@portal.test', 'password1'), /SEED_ADMIN_PASSWORD/);
    await assert.rejects(seed('owner@portal.test'), /SEED_ADMIN_EMAIL/);
  });
});

async function setStatus(email: string, status: string): Promise<void> {
  await service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ status }).where('email', '=', email).execute());
}

async function suspend(status: string): Promise<void> {
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('partner').set({ status }).where('id', '=', service.world.rivalPartnerId).execute(),
  );
}
