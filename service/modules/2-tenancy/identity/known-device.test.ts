import { hashToken } from '#platform/one-time-token.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD, type Person } from '@partner-portal/tests/harness/world.ts';
import Fastify from 'fastify';
import { Secret as TotpSecret, TOTP } from 'otpauth';
import { createSessions } from '#platform/http/session.ts';
import { Secret } from '#platform/secret.ts';
import { findUserById } from './store.ts';
import { putReset } from './passwords/store-passwords.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const emailOf = (who: Person): string => service.world.people[who].email;
/** Signs in from a browser with these cookies. */
const signIn = (who: Person, cookie = '', password = PASSWORD): Promise<TestReply> =>
  service.call('POST', '/auth/login', { body: { email: emailOf(who), password }, headers: cookie === '' ? {} : { cookie } });
const setCookieOf = (reply: TestReply): string => {
  const header = reply.headers['set-cookie'];
  assert.ok(typeof header === 'string', `no cookie was set (${reply.status})`);
  return header;
};
/** Returns what the browser sends from then on. */
const cookieOf = (reply: TestReply): string => setCookieOf(reply).split(';')[0] ?? '';
/** Guesses from many networks use up what the account allows. */
async function blockAccount(who: Person): Promise<void> {
  const { limits } = service;
  while (!(await limits.count('loginFailureOfAccount', emailOf(who))).exceeded);
}
async function unblock(who: Person): Promise<void> {
  await service.limits.forget('loginFailureOfAccount', emailOf(who));
  await service.limits.forget('loginFailure', `${emailOf(who)} 127.0.0.1`);
  await service.limits.forget('loginFailureOfAddress', '127.0.0.1');
}
/** A reset link as its job stores it. */
async function linkFor(who: Person, token: string): Promise<void> {
  const { userId } = service.world.people[who];
  const expiresAt = new Date(Date.now() + 3_600_000);
  await service.db.asSystem('login', (tx) => putReset(tx, { userId, tokenHash: hashToken(token), expiresAt }));
}
const change = (session: string, cookie: string, currentPassword: string, newPassword: string): Promise<TestReply> =>
  service.call('POST', '/auth/change-password', {
    headers: { authorization: `Bearer ${session}`, cookie },
    body: { currentPassword, newPassword },
  });

describe('a known device', () => {
  beforeEach(async () => {
    for (const who of ['owner', 'moderator', 'clientUser', 'staff'] as const) await unblock(who);
  });

  it('signs in while guesses from many networks have blocked the account for everyone else', async () => {
    const known = cookieOf(await signIn('staff'));
    await blockAccount('staff');
    const stranger = await signIn('staff');
    assert.deepEqual([stranger.status, stranger.body.code, stranger.headers['set-cookie']], [429, 'rate_limited', undefined]);
    const victim = await signIn('staff', known);
    assert.equal(victim.status, 200, victim.text);
    assert.equal((await signIn('staff', cookieOf(victim))).status, 200, 'and with the renewed proof');
    assert.equal((await signIn('staff')).status, 429, 'the block stays for strangers');
  });

  it('signs in while guesses from its own network have blocked it', async () => {
    const known = cookieOf(await signIn('owner'));
    for (let n = 0; n < LIMITS.loginFailuresPerAddress; n += 1) assert.equal((await signIn('owner', '', 'a wrong guess')).status, 401);
    assert.equal((await signIn('owner')).status, 429);
    assert.equal((await signIn('owner', known)).status, 200);
  });

  it('has a limit of its own: wrong passwords with its proof run out, and count for no one else', async () => {
    const known = cookieOf(await signIn('owner'));
    const left = async () => (await service.limits.peek('loginFailureOfAccount', emailOf('owner'))).remaining;
    const before = await left();
    for (let n = 0; n < LIMITS.loginFailuresPerAddress; n += 1) {
      const wrong = await signIn('owner', known, 'a wrong guess');
      assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [401, undefined]);
    }
    const spent = await signIn('owner', known);
    assert.deepEqual([spent.status, spent.body.code], [429, 'rate_limited']);
    assert.ok(Number(spent.headers['retry-after']) > 0);
    assert.equal(await left(), before);
    assert.equal((await signIn('owner')).status, 200, 'another browser is not concerned');
  });

  it('keeps its count when a sign-in renews its proof, so a proof allows no more guesses than one', async () => {
    const first = cookieOf(await signIn('owner'));
    const second = cookieOf(await signIn('owner', first));
    for (let n = 0; n < LIMITS.loginFailuresPerAddress; n += 1) await signIn('owner', n % 2 === 0 ? first : second, 'a wrong guess');
    assert.equal((await signIn('owner', first)).status, 429);
    assert.equal((await signIn('owner', second)).status, 429);
  });

  it('of another user helps no one', async () => {
    const moderator = cookieOf(await signIn('moderator'));
    await blockAccount('owner');
    assert.equal((await signIn('owner', moderator)).status, 429);
    assert.equal((await signIn('moderator', moderator)).status, 200);
  });

  it('may be known for several users, the three newest', async () => {
    let cookie = '';
    for (const who of ['staff', 'owner', 'moderator', 'clientUser'] as const) cookie = cookieOf(await signIn(who, cookie));
    for (const who of ['staff', 'owner', 'moderator', 'clientUser'] as const) await blockAccount(who);
    const statuses = [];
    for (const who of ['staff', 'owner', 'moderator', 'clientUser'] as const) statuses.push((await signIn(who, cookie)).status);
    assert.deepEqual(statuses, [429, 200, 200, 200]);
  });

  it('is not proved by a changed, expired or foreign token, nor by a session', async () => {
    const reply = await signIn('owner');
    const cookie = cookieOf(reply);
    const [name = '', token = ''] = cookie.split('=');
    const [header, payload, signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>; // a token we just got
    const { userId } = service.world.people.owner;
    const issue = async (secret: string, now: Date): Promise<string> => {
      const clock = { now: () => now };
      const other = await createSessions(Fastify(), { secret: new Secret(secret), expiresInSeconds: 86_400, clock });
      return other.issueDevice({ userId, deviceId: String(claims['jti']), secondStep: false, validFrom: new Date(0) });
    };
    const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
    await blockAccount('owner');
    const refused = {
      signature: `${name}=${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      user: `${name}=${header}.${Buffer.from(JSON.stringify({ ...claims, sub: userId, exp: 9_999_999_999 })).toString('base64url')}.${signature}`,
      expired: `${name}=${await issue('t'.repeat(48), days(LIMITS.knownDeviceDays + 1))}`,
      'another key': `${name}=${await issue('x'.repeat(48), new Date())}`,
      session: `${name}=${reply.body.accessToken}`,
      nonsense: `${name}=${'~'.repeat(50)}.a.b; ${name}`,
    };
    for (const [what, value] of Object.entries(refused)) assert.equal((await signIn('owner', value)).status, 429, what);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('appUser')
        .set({ sessionsValidFrom: days(400) })
        .where('id', '=', userId)
        .execute(),
    );
    const old = `${name}=${await issue('t'.repeat(48), days(LIMITS.knownDeviceDays - 1))}`;
    assert.equal((await signIn('owner', old)).status, 200, 'one from the last day of its life');
    assert.equal((await signIn('owner', cookie)).status, 200);
  });

  it('does not get a session by its proof', async () => {
    const [, token = ''] = cookieOf(await signIn('owner')).split('=');
    const me = await service.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([me.status, me.body.code], [401, 'unauthenticated']);
    const verified = await service.call('POST', '/auth/mfa/verify', { body: { tempToken: token, token: '123456' } });
    assert.equal(verified.status, 401);
  });

  it('is forgotten when all sessions of the user end, and a new password renews the browser that set it', async () => {
    const signedIn = await signIn('clientUser');
    const elsewhere = cookieOf(await signIn('clientUser'));
    const changed = await change(signedIn.body.accessToken, cookieOf(signedIn), PASSWORD, 'nine quiet herons');
    assert.equal(changed.status, 200, changed.text);
    await blockAccount('clientUser');
    assert.equal((await signIn('clientUser', elsewhere, 'nine quiet herons')).status, 429);
    assert.equal((await signIn('clientUser', cookieOf(signedIn), 'nine quiet herons')).status, 429);
    assert.equal((await signIn('clientUser', cookieOf(changed), 'nine quiet herons')).status, 200);
    const back = await change(changed.body.accessToken, cookieOf(changed), 'nine quiet herons', `${PASSWORD} again`);
    assert.equal(back.status, 200, 'and the block does not keep a signed-in user from changing the password');
    const out = await service.call('POST', '/auth/logout-all', { headers: { authorization: `Bearer ${back.body.accessToken}` }, body: {} });
    assert.equal(out.status, 204);
    assert.equal((await signIn('clientUser', cookieOf(back), `${PASSWORD} again`)).status, 429);
  });

  it('is also the browser that used a reset link, which is the way back in for a user without one', async () => {
    await blockAccount('moderator');
    await linkFor('moderator', 'token-of-the-link');
    const body = { token: 'token-of-the-link', password: 'nine quiet herons' };
    const reset = await service.call('POST', '/auth/reset-password', { body });
    assert.equal(reset.status, 204);
    await blockAccount('moderator');
    assert.equal((await signIn('moderator', '', 'nine quiet herons')).status, 429);
    assert.equal((await signIn('moderator', cookieOf(reset), 'nine quiet herons')).status, 200);
  });

  it('gets its attempts back by a reset link', async () => {
    const known = cookieOf(await signIn('moderator', '', 'nine quiet herons'));
    for (let n = 0; n < LIMITS.loginFailuresPerAddress; n += 1) await signIn('moderator', known, 'a wrong guess');
    assert.equal((await signIn('moderator', known, 'nine quiet herons')).status, 429);
    await linkFor('moderator', 'token-of-another-link');
    const body = { token: 'token-of-another-link', password: 'ten quiet herons' };
    const reset = await service.call('POST', '/auth/reset-password', { body, headers: { cookie: known } });
    assert.equal((await signIn('moderator', cookieOf(reset), 'ten quiet herons')).status, 200);
  });

  it('gets a reset link while strangers have used up those of the address', async () => {
    const known = cookieOf(await signIn('owner'));
    const request = (cookie: string) =>
      service.call('POST', '/auth/forgot-password', { body: { email: emailOf('owner') }, headers: cookie === '' ? {} : { cookie } });
    const requests = async () =>
      (await service.db.asSystem('seed', (tx) => tx.selectFrom('passwordResetRequest').select('id').execute())).length;
    const before = await requests();
    for (let n = 0; n <= LIMITS.passwordResetsPerEmail; n += 1) assert.equal((await request('')).status, 202);
    assert.equal((await requests()) - before, LIMITS.passwordResetsPerEmail);
    for (let n = 0; n <= LIMITS.passwordResetsPerEmail; n += 1) {
      const { status, body } = await request(known);
      assert.deepEqual([status, body], [202, { accepted: true }]);
    }
    assert.equal((await requests()) - before, 2 * LIMITS.passwordResetsPerEmail, 'and a limit of its own');
  });
});

describe('the cookie of a known device', () => {
  it('is for these routes only, unreadable for scripts, kept from other sites, and secure over https', async () => {
    const plain = setCookieOf(await signIn('rivalOwner'));
    const attributes = `Path=/auth; Max-Age=${LIMITS.knownDeviceDays * 86_400}; HttpOnly; SameSite=Strict`;
    assert.equal(plain.split('; ').slice(1).join('; '), attributes);
    const { database, world } = service;
    const secure = await startTestService({ database, world, identity: { baseUrl: 'https://portal.test' } });
    try {
      assert.equal(
        setCookieOf(await secure.login(emailOf('rivalOwner')))
          .split('; ')
          .slice(1)
          .join('; '),
        `${attributes}; Secure`,
      );
    } finally {
      await secure.close();
    }
  });

  it('has a name that browsers accept over https alone; one of an earlier version is read until it expires', async () => {
    const { database, world } = service;
    const secure = await startTestService({ database, world, identity: { baseUrl: 'https://portal.test' } });
    try {
      const email = emailOf('rivalOwner');
      const named = cookieOf(await secure.login(email));
      assert.match(named, /^__Secure-known_device=ey/);
      while (!(await secure.limits.count('loginFailureOfAccount', email)).exceeded);
      const status = async (cookie: string) =>
        (await secure.call('POST', '/auth/login', { body: { email, password: PASSWORD }, headers: { cookie } })).status;
      assert.equal(await status(named), 200);
      assert.equal(await status(named.replace('__Secure-', '')), 200);
      assert.equal(await status(named.replace('known_device', 'known')), 429);
    } finally {
      await secure.close();
    }
  });

  it('is not set by a refused sign-in or one that awaits its second step', async () => {
    const { secret } = (await service.call('POST', '/auth/mfa/setup', { as: 'rivalClientUser', body: {} })).body;
    const totp = new TOTP({ secret: TotpSecret.fromBase32(secret) });
    const body = { token: totp.generate() };
    assert.equal((await service.call('POST', '/auth/mfa/enable', { as: 'rivalClientUser', body })).status, 200);
    const challenge = await signIn('rivalClientUser');
    assert.deepEqual([challenge.body.mfaRequired, challenge.headers['set-cookie']], [true, undefined]);
    assert.equal((await signIn('rivalClientUser', '', 'a wrong guess')).headers['set-cookie'], undefined);
  });
});

describe('the second step of a known device', () => {
  const { userId: key, totp } = { userId: () => service.world.people.otherClientUser.userId, totp: new TOTP({ secret: new TotpSecret() }) };
  const freshCode = async (): Promise<string> => {
    await service.db.asSystem('seed', (tx) => tx.updateTable('userMfa').set({ lastStep: '0' }).where('userId', '=', key()).execute());
    return totp.generate();
  };
  const challenge = async (cookie: string): Promise<string> => (await signIn('otherClientUser', cookie)).body.tempToken;
  const verify = async (cookie: string, token?: string): Promise<TestReply> =>
    service.call('POST', '/auth/mfa/verify', {
      body: { tempToken: await challenge(cookie), token: token ?? (await freshCode()) },
      headers: cookie === '' ? {} : { cookie },
    });

  it('is not blocked by wrong codes of others who know the password; a proof by password alone is no such device', async () => {
    const byPassword = cookieOf(await signIn('otherClientUser'));
    const { secret } = (await service.call('POST', '/auth/mfa/setup', { as: 'otherClientUser', body: {} })).body;
    totp.secret = TotpSecret.fromBase32(secret);
    await service.call('POST', '/auth/mfa/enable', { as: 'otherClientUser', body: { token: totp.generate() } });
    const known = cookieOf(await verify(''));
    while (!(await service.limits.count('mfaFailure', `user:${key()}`)).exceeded);
    assert.equal((await verify('')).status, 429);
    assert.equal((await verify(byPassword)).status, 429);
    assert.equal((await verify(known)).status, 200);
    const { jti } = JSON.parse(Buffer.from(known.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }; // a token we just got
    while ((await service.limits.peek('mfaFailureOfDevice', jti)).remaining > 1) await service.limits.count('mfaFailureOfDevice', jti);
    const wrong = String((Number(totp.generate()) + 500_000) % 1_000_000).padStart(6, '0');
    assert.equal((await verify(known, wrong)).status, 401);
    assert.equal((await verify(known)).status, 429, 'and its own wrong codes run out');
    const user = await service.db.asSystem('login', (tx) => findUserById(tx, key()));
    assert.equal(user?.mfaEnabled, true);
  });
});
