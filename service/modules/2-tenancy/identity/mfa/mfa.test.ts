import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, TEST_RING, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { Secret, TOTP } from 'otpauth';
import { destroyDataKey } from '#modules/1-ledger/data-keys/index.ts';
import { sealAsBefore } from '@partner-portal/tests/harness/old-seal.ts';
import { resealTotpSecrets } from '../index.ts';
import { openTotp } from './seal-totp.ts';
import { lockMfa } from './store-mfa.ts';

let service: TestService;
/** A second process on the same database: its own pool, its own sessions signed with the same secret. */
let other: TestService;
before(async () => {
  service = await startTestService();
  const { database, world } = service;
  other = await startTestService({ database, world });
});
after(async () => {
  await other.close();
  await service.close();
});

type Who = 'owner' | 'moderator' | 'clientUser' | 'otherClientUser' | 'rivalOwner' | 'rivalClientUser' | 'staff';
const emailOf = (who: Who): string => service.world.people[who].email;
/** Returns the code of the time step `steps` after the current one. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
/** Returns a code that is not valid now. */
const wrongCode = (secret: string): string => {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '';
};
/** Resets the last used step: codes work once, and a test signs in several times within one step. */
const freshCodes = (who: Who) =>
  service.db.asSystem('seed', (tx) =>
    tx.updateTable('userMfa').set({ lastStep: '0' }).where('userId', '=', service.world.people[who].userId).execute(),
  );

async function enable(who: Who): Promise<{ secret: string; recoveryCodes: string[] }> {
  const setup = await service.call('POST', '/auth/mfa/setup', { as: who, body: {} });
  assert.equal(setup.status, 200);
  const { secret } = setup.body;
  const enabled = await service.call('POST', '/auth/mfa/enable', { as: who, body: { token: codeOf(secret) } });
  assert.equal(enabled.status, 200, enabled.text);
  await freshCodes(who);
  return { secret, recoveryCodes: enabled.body.recoveryCodes };
}
async function challenge(who: Who): Promise<string> {
  const { status, body } = await service.login(emailOf(who));
  assert.deepEqual([status, body.mfaRequired, 'accessToken' in body], [200, true, false]);
  return body.tempToken;
}
const verify = (tempToken: string, token: string, on = service) => on.call('POST', '/auth/mfa/verify', { body: { tempToken, token } });
const recover = (tempToken: string, recoveryCode: string, on = service) =>
  on.call('POST', '/auth/mfa/recover', { body: { tempToken, recoveryCode } });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('setting up an authenticator app', () => {
  it('returns a secret, its URL and a QR code, and is not effective until a code confirms it', async () => {
    const { body } = await service.call('POST', '/auth/mfa/setup', { as: 'rivalOwner', body: {} });
    assert.match(body.secret, /^[A-Z2-7]{32}$/);
    const url = new URL(body.otpauthUrl);
    assert.deepEqual(
      [url.protocol, url.host, url.searchParams.get('secret'), url.searchParams.get('issuer')],
      ['otpauth:', 'totp', body.secret, 'Rival Agency'],
    );
    assert.ok(decodeURIComponent(url.pathname).includes('rivalowner@portal.test'));
    assert.match(body.qrSvg, /^<svg /);
    assert.equal((await service.login(emailOf('rivalOwner'))).body.user.mfaEnabled, false);
    const early = await service.call('POST', '/auth/mfa/disable', { as: 'rivalOwner', body: { token: codeOf(body.secret) } });
    assert.deepEqual([early.status, early.body.code], [409, 'invalid_state']);
  });

  it('accepts a code of the newest secret only', async () => {
    const none = await service.call('POST', '/auth/mfa/enable', { as: 'rivalClientUser', body: { token: '123456' } });
    assert.deepEqual([none.status, none.body.code], [409, 'invalid_state']);
    const first = (await service.call('POST', '/auth/mfa/setup', { as: 'rivalClientUser', body: {} })).body.secret;
    const second = (await service.call('POST', '/auth/mfa/setup', { as: 'rivalClientUser', body: {} })).body.secret;
    const old = await service.call('POST', '/auth/mfa/enable', { as: 'rivalClientUser', body: { token: codeOf(first) } });
    assert.deepEqual([old.status, old.body.code], [401, 'invalid_mfa_code']);
    const spaced = codeOf(second).replace(/^(...)/, '$1 ');
    const enabled = await service.call('POST', '/auth/mfa/enable', { as: 'rivalClientUser', body: { token: spaced } });
    assert.deepEqual([enabled.status, enabled.body.mfaEnabled], [200, true]);
    assert.equal(new Set(enabled.body.recoveryCodes).size, 10);
    const again = await service.call('POST', '/auth/mfa/setup', { as: 'rivalClientUser', body: {} });
    assert.deepEqual([again.status, again.body.code], [409, 'already_exists']);
  });

  it('works for every role, with mail and audit entry', async () => {
    const { recoveryCodes } = await enable('moderator');
    for (const code of recoveryCodes) assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const me = await service.call('GET', '/auth/me', { as: 'moderator' });
    assert.deepEqual([me.body.user.mfaEnabled, me.body.recoveryCodesLeft], [true, 10]);
    const kinds = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('kind').where('toAddress', '=', emailOf('moderator')).execute(),
    );
    assert.deepEqual(kinds, [{ kind: 'mfa_enabled' }]);
    const actions = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select('action')
        .where('actorEmail', '=', emailOf('moderator'))
        .where('action', 'like', 'mfa.%')
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['mfa.setup_started', 'mfa.enabled'],
    );
  });

  it('stores the secret sealed and the codes hashed', async () => {
    const { secret, recoveryCodes } = await enable('staff');
    const stored = await service.db.asSystem('seed', async (tx) => [
      ...(await tx.selectFrom('userMfa').selectAll().execute()),
      ...(await tx.selectFrom('mfaRecoveryCode').selectAll().execute()),
    ]);
    const text = JSON.stringify(stored, (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value));
    for (const shown of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      assert.equal(text.includes(shown), false);
    const mfa = await service.db.asSystem('seed', (tx) => lockMfa(tx, service.world.people.staff.userId));
    assert.ok(mfa);
    assert.equal(openTotp(service.dataKeys, mfa, mfa), secret);
    assert.throws(() => openTotp(service.dataKeys, { ...mfa, userId: service.world.people.owner.userId }, mfa), /cannot be opened/);
  });

  it('is disabled with a current code, not with a used or wrong one or a recovery code', async () => {
    const { secret, recoveryCodes } = await enable('otherClientUser');
    const off = (token: string) => service.call('POST', '/auth/mfa/disable', { as: 'otherClientUser', body: { token } });
    assert.equal((await off(wrongCode(secret))).body.code, 'invalid_mfa_code');
    assert.equal((await off(recoveryCodes[0] ?? '')).status, 422);
    const tempToken = await challenge('otherClientUser');
    const [used, next] = [codeOf(secret), codeOf(secret, 1)];
    assert.equal((await verify(tempToken, used)).status, 200);
    assert.equal((await off(used)).body.code, 'invalid_mfa_code', 'used by the sign-in');
    assert.deepEqual((await off(next)).body, { mfaEnabled: false });
    assert.equal((await service.login(emailOf('otherClientUser'))).body.user.mfaEnabled, false);
    const left = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mfaRecoveryCode').select('id').where('userId', '=', service.world.people.otherClientUser.userId).execute(),
    );
    assert.deepEqual(left, []);
  });

  it('needs a session', async () => {
    for (const [path, body] of [
      ['setup', {}],
      ['enable', { token: '123456' }],
      ['disable', { token: '123456' }],
      ['recovery-codes', { token: '123456' }],
    ] as const)
      await service.assertRefused('POST', `/auth/mfa/${path}`, {}, body);
  });
});

describe('a challenge', () => {
  let secret = '';
  let recoveryCodes: string[] = [];
  before(async () => {
    ({ secret, recoveryCodes } = await enable('owner'));
  });

  it('is valid for five minutes, ends in a session with the right method, and works once', async () => {
    await freshCodes('owner');
    const tempToken = await challenge('owner');
    const { iat, exp } = JSON.parse(Buffer.from(tempToken.split('.')[1] ?? '', 'base64url').toString()) as { iat: number; exp: number }; // a token we just got
    assert.equal(exp - iat, 300);
    const done = await verify(tempToken, codeOf(secret));
    assert.deepEqual([done.status, done.body.user.email, done.body.user.authMethod], [200, emailOf('owner'), 'password_mfa']);
    assert.equal((await service.call('GET', '/auth/me', bearer(done.body.accessToken))).status, 200);
    await freshCodes('owner');
    const again = await verify(tempToken, codeOf(secret));
    assert.deepEqual([again.status, again.body.code], [401, 'mfa_challenge_expired']);
  });

  it('is not accepted as a session, nor a session as a challenge', async () => {
    const tempToken = await challenge('owner');
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/logout'],
      ['PATCH', '/auth/me'],
      ['POST', '/auth/mfa/disable'],
    ] as const) {
      const reply = await service.call(method, path, { ...bearer(tempToken), body: {} });
      assert.deepEqual([reply.status, reply.body.code], [401, 'unauthenticated'], path);
    }
    const session = service.bearer('owner').authorization.slice('Bearer '.length);
    for (const wrong of [session, 'nonsense', `${tempToken.slice(0, -4)}AAAA`])
      assert.deepEqual((await verify(wrong, codeOf(secret))).body.code, 'unauthenticated');
  });

  it('allows five wrong codes, returns how many are left, then refuses a correct one', async () => {
    await freshCodes('owner');
    const tempToken = await challenge('owner');
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, body } = await verify(tempToken, wrongCode(secret));
      assert.deepEqual([status, body.code, body.attemptsRemaining], [401, 'invalid_mfa_code', left]);
    }
    const right = await verify(tempToken, codeOf(secret));
    assert.deepEqual([right.status, right.body.code], [401, 'mfa_attempts_exhausted']);
    assert.equal((await recover(tempToken, recoveryCodes[9] ?? '')).body.code, 'mfa_attempts_exhausted');
    assert.equal((await verify(await challenge('owner'), codeOf(secret))).status, 200, 'a new sign-in has new tries');
  });

  it('accepts a correct code as the fifth', async () => {
    await freshCodes('owner');
    const tempToken = await challenge('owner');
    for (let n = 0; n < 4; n++) await verify(tempToken, wrongCode(secret));
    assert.equal((await verify(tempToken, codeOf(secret))).status, 200);
  });

  it('has five attempts across two processes under concurrency', async () => {
    await freshCodes('owner');
    const tempToken = await challenge('owner');
    const tries = Array.from({ length: 16 }, (_, n) => verify(tempToken, wrongCode(secret), n % 2 ? service : other));
    const codes = (await Promise.all(tries)).map((reply) => reply.body.code);
    assert.equal(codes.filter((code) => code === 'invalid_mfa_code').length, 5);
    assert.equal(codes.filter((code) => code === 'mfa_attempts_exhausted').length, 11);
    assert.equal((await verify(tempToken, codeOf(secret), other)).body.code, 'mfa_attempts_exhausted');
  });

  it('accepts one of many concurrent correct codes across two processes', async () => {
    await freshCodes('owner');
    const tokens = await Promise.all(Array.from({ length: 4 }, () => challenge('owner')));
    const code = codeOf(secret);
    const replies = await Promise.all(tokens.flatMap((tempToken) => [verify(tempToken, code), verify(tempToken, code, other)]));
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1, 'a code works once per user');
    assert.ok(replies.every((reply) => reply.status === 200 || reply.status === 401));
  });

  it('accepts no code older than the last used one', async () => {
    await freshCodes('owner');
    const [next, ...older] = [1, 0, -1].map((steps) => codeOf(secret, steps));
    assert.equal((await verify(await challenge('owner'), next ?? '')).status, 200);
    for (const code of [next ?? '', ...older]) assert.equal((await verify(await challenge('owner'), code)).body.code, 'invalid_mfa_code');
  });

  it('expires in the database too, not only by its token', async () => {
    await freshCodes('owner');
    const tempToken = await challenge('owner');
    const id = JSON.parse(Buffer.from(tempToken.split('.')[1] ?? '', 'base64url').toString()).jti as string; // a token we just got
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('mfaChallenge')
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where('id', '=', id)
        .execute(),
    );
    assert.equal((await verify(tempToken, codeOf(secret))).body.code, 'mfa_challenge_expired');
  });

  it('ends with the sessions of its user and with a changed password', async () => {
    await freshCodes('owner');
    const ended = await challenge('owner');
    assert.equal((await service.call('POST', '/auth/logout-all', { as: 'owner' })).status, 204);
    assert.equal((await verify(ended, codeOf(secret))).body.code, 'mfa_challenge_expired');
    assert.equal((await verify(await challenge('owner'), codeOf(secret))).status, 200);
    // Sessions that the next tests open in the same second must stay valid.
    const { userId } = service.world.people.owner;
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('appUser')
        .set({ sessionsValidFrom: new Date(0) })
        .where('id', '=', userId)
        .execute(),
    );
  });

  it('refuses a malformed code without counting it', async () => {
    const tempToken = await challenge('owner');
    for (const token of ['12345', '1234567', 'abcdef', '', '12 3456']) assert.equal((await verify(tempToken, token)).status, 422, token);
    assert.equal((await verify(tempToken, wrongCode(secret))).body.attemptsRemaining, 4);
  });

  it('writes failures and the sign-in to the audit log', async () => {
    const entries = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'result'])
        .where('targetLabel', '=', emailOf('owner'))
        .where('action', 'like', 'session.sign%')
        .execute(),
    );
    assert.ok(entries.some(({ action, result }) => action === 'session.sign_in_failed' && result === 'refused'));
    assert.ok(entries.some(({ action, result }) => action === 'session.signed_in' && result === 'ok'));
  });
});

describe('a recovery code', () => {
  it('works once, in any notation, shares the five attempts, and the number left is shown', async () => {
    const { secret, recoveryCodes } = await enable('clientUser');
    const [one = '', two = ''] = recoveryCodes;
    const first = await challenge('clientUser');
    assert.equal((await recover(first, 'AAAA-AAAA-AAAA-AAAA')).body.attemptsRemaining, 4);
    assert.equal((await verify(first, wrongCode(secret))).body.attemptsRemaining, 3);
    const done = await recover(first, ` ${one.toLowerCase().replaceAll('-', ' ')} `);
    assert.deepEqual([done.status, done.body.user.authMethod], [200, 'password_mfa']);
    assert.equal((await service.call('GET', '/auth/me', bearer(done.body.accessToken))).body.recoveryCodesLeft, 9);
    const second = await challenge('clientUser');
    assert.equal((await recover(second, one)).body.code, 'invalid_mfa_code', 'burnt');
    const [a, b] = await Promise.all([challenge('clientUser'), challenge('clientUser')]);
    const both = await Promise.all([recover(a, two), recover(b, two, other)]);
    assert.deepEqual(
      both.map((reply) => reply.status).toSorted((x, y) => x - y),
      [200, 401],
    );
  });

  it('of another user is not accepted', async () => {
    await freshCodes('moderator');
    const { recoveryCodes } = await (async () => {
      const { userId } = service.world.people.rivalOwner;
      await service.db.asSystem('seed', (tx) => tx.deleteFrom('userMfa').where('userId', '=', userId).execute());
      return enable('rivalOwner');
    })();
    assert.equal((await recover(await challenge('clientUser'), recoveryCodes[0] ?? '')).body.code, 'invalid_mfa_code');
  });
});

describe('renewing the recovery codes', () => {
  const person = 'rivalClientUser';
  const renew = (token: string, on = service) => on.call('POST', '/auth/mfa/recovery-codes', { as: person, body: { token } });
  const storedFor = (who: Who) =>
    service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mfaRecoveryCode').selectAll().where('userId', '=', service.world.people[who].userId).orderBy('id').execute(),
    );
  let secret = '';
  let recoveryCodes: string[] = [];
  before(async () => {
    const { userId } = service.world.people[person];
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('mfaRecoveryCode').where('userId', '=', userId).execute());
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('userMfa').where('userId', '=', userId).execute());
    const off = await renew('123456');
    assert.deepEqual([off.status, off.body.code], [409, 'invalid_state']);
    ({ secret, recoveryCodes } = await enable(person));
  });

  it('needs a current code of the app; a wrong or used one or a recovery code changes nothing', async () => {
    assert.equal((await renew(wrongCode(secret))).body.code, 'invalid_mfa_code');
    assert.equal((await renew(recoveryCodes[0] ?? '')).status, 422);
    const code = codeOf(secret);
    assert.equal((await verify(await challenge(person), code)).status, 200);
    assert.deepEqual([(await renew(code)).status, (await renew(code)).body.code], [401, 'invalid_mfa_code'], 'used by the sign-in');
    assert.equal((await recover(await challenge(person), recoveryCodes[0] ?? '')).status, 200);
    assert.equal((await service.call('GET', '/auth/me', { as: person })).body.recoveryCodesLeft, 9);
  });

  it('returns ten new ones once, stores only hashes, invalidates the old ones of this user, and sends mail and audit entry', async () => {
    await freshCodes(person);
    const others = await storedFor('clientUser');
    assert.ok(others.length > 0);
    const renewed = await renew(codeOf(secret));
    assert.equal(renewed.status, 200, renewed.text);
    const fresh: string[] = renewed.body.recoveryCodes;
    assert.deepEqual([fresh.length, new Set([...fresh, ...recoveryCodes]).size], [10, 20]);
    const stored = JSON.stringify(await storedFor(person), (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value));
    for (const code of fresh) assert.equal(stored.includes(code) || stored.includes(code.replaceAll('-', '')), false);
    assert.deepEqual(await storedFor('clientUser'), others);
    assert.equal((await service.call('GET', '/auth/me', { as: person })).body.recoveryCodesLeft, 10);
    for (const code of recoveryCodes.slice(0, 2))
      assert.equal((await recover(await challenge(person), code)).body.code, 'invalid_mfa_code');
    assert.equal((await recover(await challenge(person), fresh[3] ?? '')).status, 200);
    const kinds = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('kind').where('toAddress', '=', emailOf(person)).where('kind', '=', 'recovery_codes_renewed').execute(),
    );
    assert.equal(kinds.length, 1);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('result').where('action', '=', 'mfa.recovery_codes_renewed').orderBy('id').execute(),
    );
    assert.deepEqual(entries.at(-1), { result: 'ok' });
    assert.ok(entries.some(({ result }) => result === 'refused'));
  });

  it('succeeds once per code across two processes', async () => {
    await freshCodes(person);
    const code = codeOf(secret);
    const both = await Promise.all([renew(code), renew(code, other)]);
    assert.deepEqual(
      both.map((reply) => reply.status).toSorted((x, y) => x - y),
      [200, 401],
    );
    assert.equal((await storedFor(person)).length, 10);
  });

  it('counts its wrong codes with those of sign-ins', async () => {
    const { userId } = service.world.people[person];
    await freshCodes(person);
    await service.limits.forget('mfaFailure', `user:${userId}`);
    for (let n = 0; n < 29; n++) await service.limits.count('mfaFailure', `user:${userId}`);
    assert.equal((await renew(wrongCode(secret))).body.code, 'invalid_mfa_code');
    assert.equal((await renew(codeOf(secret))).status, 429);
    assert.equal((await verify(await challenge(person), codeOf(secret))).status, 429);
    await service.limits.forget('mfaFailure', `user:${userId}`);
    assert.equal((await renew(codeOf(secret))).status, 200);
  });
});

describe('wrong codes', () => {
  it('are counted per user over all sign-ins, so new challenges do not reset the limit', async () => {
    const { secret } = await enable('otherClientUser');
    const { userId } = service.world.people.otherClientUser;
    await service.limits.forget('mfaFailure', `user:${userId}`);
    for (let n = 0; n < 29; n++) await service.limits.count('mfaFailure', `user:${userId}`);
    const tempToken = await challenge('otherClientUser');
    assert.equal((await verify(tempToken, wrongCode(secret))).body.code, 'invalid_mfa_code');
    assert.equal((await verify(tempToken, wrongCode(secret))).status, 429);
    assert.equal((await verify(tempToken, codeOf(secret))).status, 429);
    await service.limits.forget('mfaFailure', `user:${userId}`);
    assert.equal((await verify(tempToken, codeOf(secret))).status, 200);
  });

  it('are limited to 20 requests a minute from one address', async () => {
    const counted = await startTestService({ countCallers: true });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 21; n++) statuses.push((await verify('nonsense', '123456', counted)).status);
      assert.deepEqual([statuses.slice(0, 20).every((status) => status === 401), statuses[20]], [true, 429]);
    } finally {
      await counted.close();
    }
  });
});

describe('authenticator secrets of earlier versions', () => {
  it('sign in, are sealed again with data keys, and those that do not open are named', async () => {
    const { db, dataKeys, world } = service;
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const all = await db.asSystem('seed', (tx) => tx.selectFrom('userMfa').select(['userId', 'partnerId']).execute());
    const lost = world.people.staff.userId;
    await db.asSystem('seed', async (tx) => {
      for (const { userId, partnerId } of all) {
        const { sealed, keyId } = sealAsBefore(TEST_RING, { use: 'totp', partnerId, place: userId }, secret);
        const secretKeyId = userId === lost ? 'gone' : keyId;
        await tx.updateTable('userMfa').set({ secretSealed: sealed, secretKeyId }).where('userId', '=', userId).execute();
      }
    });
    const signsIn = async () => (await verify(await challenge('rivalOwner'), codeOf(secret))).status;
    assert.equal(await signsIn(), 200);
    const result = await resealTotpSecrets({ db, dataKeys }, { batch: 2 });
    assert.deepEqual(result, { rewrapped: all.length - 1, failed: [lost] });
    const mfa = await db.asSystem('seed', (tx) => lockMfa(tx, world.people.rivalOwner.userId));
    assert.ok(mfa);
    assert.equal(mfa.secretKeyId, mfa.dataKeyId);
    assert.equal(openTotp(dataKeys, mfa, mfa), secret);
  });
});

describe('a challenge issued before the partner enforced sign-in through its provider', () => {
  it('is refused with the address of the provider, and neither the code nor the challenge is used up', async () => {
    let isEnforced = false;
    const { database, world } = service;
    const ssoUrl = 'http://portal.test/login?sso=acme';
    const third = await startTestService({
      database,
      world,
      identity: { ssoRequirement: async (_tx, user) => (isEnforced && user.role === 'PARTNER' ? { ssoUrl } : null) },
    });
    try {
      await service.db.asSystem('seed', (tx) => tx.deleteFrom('userMfa').where('userId', '=', world.people.owner.userId).execute());
      const { secret, recoveryCodes } = await enable('owner');
      const tempToken = (await third.login(emailOf('owner'))).body.tempToken;
      isEnforced = true;
      const code = codeOf(secret);
      for (const refused of [await verify(tempToken, code, third), await recover(tempToken, recoveryCodes[0] ?? '', third)])
        assert.deepEqual([refused.status, refused.body.code, refused.body.ssoUrl], [403, 'sso_required', ssoUrl]);
      assert.equal((await verify(tempToken, wrongCode(secret), third)).body.code, 'invalid_mfa_code');
      isEnforced = false;
      assert.equal((await verify(tempToken, code, third)).status, 200);
    } finally {
      await third.close();
    }
  });
});

describe('a second step that staff disable while it is used', () => {
  type Tx = Parameters<Parameters<TestService['db']['asSystem']>[1]>[0];
  const forgetIn = async (tx: Tx): Promise<void> => {
    const { userId } = service.world.people.rivalClientUser;
    await tx.deleteFrom('mfaRecoveryCode').where('userId', '=', userId).execute();
    await tx.updateTable('appUser').set({ mfaEnabled: false }).where('id', '=', userId).execute();
    await tx.deleteFrom('userMfa').where('userId', '=', userId).execute();
  };
  beforeEach(() => service.db.asSystem('seed', forgetIn));

  const ACTS = {
    'a code that confirms an app': async () => {
      const { body } = await service.call('POST', '/auth/mfa/setup', { as: 'rivalClientUser', body: {} });
      return () => service.call('POST', '/auth/mfa/enable', { as: 'rivalClientUser', body: { token: codeOf(body.secret) } });
    },
    'a code at sign-in': async () => {
      const { secret } = await enable('rivalClientUser');
      const tempToken = await challenge('rivalClientUser');
      return () => verify(tempToken, codeOf(secret));
    },
    'a recovery code': async () => {
      const { recoveryCodes } = await enable('rivalClientUser');
      const tempToken = await challenge('rivalClientUser');
      return () => recover(tempToken, recoveryCodes[0] ?? '');
    },
  };
  for (const [what, prepare] of Object.entries(ACTS)) {
    it(`is refused to ${what} without a deadlock`, async () => {
      const { userId } = service.world.people.rivalClientUser;
      const act = await prepare();
      const held = Promise.withResolvers<undefined>();
      const proceed = Promise.withResolvers<undefined>();
      // A reset and a removal lock the user first, then the rows that depend on it.
      const disabling = service.db.asSystem('seed', async (tx) => {
        await tx.selectFrom('appUser').select('id').where('id', '=', userId).forUpdate().execute();
        held.resolve(undefined);
        await proceed.promise;
        await forgetIn(tx);
      });
      await held.promise;
      const request = act();
      await until('the request waits for the transaction that disables it', async () => (await countLockWaits(service.database)) > 0);
      proceed.resolve(undefined);
      await disabling;
      const { status, text } = await request;
      assert.ok(status === 409 || status === 401, text);
    });
  }
});

describe('an authenticator secret whose data key was destroyed', () => {
  it('signs no one in; the neighbour’s does', async () => {
    const { db, dataKeys, world } = service;
    const mfaOf = (person: 'owner' | 'rivalOwner') => db.asSystem('seed', (tx) => lockMfa(tx, world.people[person].userId));
    await db.asSystem('seed', (tx) => destroyDataKey(tx, world.rivalPartnerId));
    const [mine, rivals] = [await mfaOf('owner'), await mfaOf('rivalOwner')];
    assert.ok(mine && rivals);
    assert.match(openTotp(dataKeys, mine, mine), /^[A-Z2-7]{32}$/);
    assert.throws(() => openTotp(dataKeys, rivals, rivals), /data_key_destroyed/);
  });
});
