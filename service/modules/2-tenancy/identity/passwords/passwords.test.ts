import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hash as hashAsTyped } from '@node-rs/argon2';
import { createDataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, TEST_RING, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD, type Person } from '@partner-portal/tests/harness/world.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import type { Statement } from '@partner-portal/service/platform/db/statements.ts';
import { sendResetLink } from './request-reset.ts';
import { argon2Hasher } from '../login/hasher.ts';
import { identity } from '../index.ts';
import { findUserByEmail } from '../store.ts';
import { insertResetRequest } from './store-passwords.ts';

const GOOD = 'nine quiet herons';
let service: TestService;
let other: TestService;
let runner: JobRunner;
/** The links that were mailed, newest last. The mail itself is sealed. */
const links: { to: string; token: string; expiresAt: Date }[] = [];

before(async () => {
  const queueMail: TestService['mail']['queueMail'] = async (tx, letter) => {
    if (letter.kind === 'password_reset') {
      const { resetUrl, expiresAt } = letter.data;
      assert.match(resetUrl, /^http:\/\/portal\.test\/reset-password#[\w-]{43}$/);
      links.push({ to: letter.to, token: resetUrl.slice(resetUrl.indexOf('#') + 1), expiresAt });
    }
    return service.mail.queueMail(tx, letter);
  };
  service = await startTestService();
  const { database, world } = service;
  other = await startTestService({ database, world });
  const { db, sessions, limits, baseUrl, log } = service;
  const { jobs } = identity({
    db,
    sessions,
    limits,
    dataKeys: createDataKeys(TEST_RING),
    queueMail,
    baseUrl,
    sandbox: false,
    staffMfaRequired: false,
  });
  runner = createRunner({ address: database.configFor('portal_queue'), log, jobs, crons: [] });
  await runner.start();
});
after(async () => {
  await runner.stop(5_000);
  await other.close();
  await service.close();
});

const emailOf = (who: Person): string => service.world.people[who].email;
const forget = (email: string) => service.limits.forget('passwordReset', email);
const requestsLeft = async (): Promise<number> =>
  (await service.db.asSystem('seed', (tx) => tx.selectFrom('passwordResetRequest').select('id').execute())).length;
/** Requests a link and waits until the job has processed the request. */
async function requestLink(email: string) {
  const reply = await service.call('POST', '/auth/forgot-password', { body: { email } });
  assert.deepEqual([reply.status, reply.body], [202, { accepted: true }]);
  while ((await requestsLeft()) > 0) await new Promise(setImmediate);
  return reply;
}
async function linkFor(who: Person): Promise<string> {
  await forget(emailOf(who));
  await requestLink(emailOf(who));
  const link = links.at(-1);
  assert.equal(link?.to, emailOf(who));
  return link?.token ?? '';
}
const reset = (token: string, password = GOOD, on = service) => on.call('POST', '/auth/reset-password', { body: { token, password } });
const setBack = async (who: Person) => {
  const passwordHash = await argon2Hasher.hash(PASSWORD);
  await service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ passwordHash }).where('email', '=', emailOf(who)).execute());
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('requesting a new password', () => {
  it('mails one link to the user with the address, and to no one else', async () => {
    const before = links.length;
    await requestLink('nobody@portal.test');
    assert.equal(links.length, before);
    await requestLink(emailOf('owner'));
    assert.equal(links.length, before + 1);
    const left = (links.at(-1)?.expiresAt.getTime() ?? 0) - Date.now();
    assert.ok(left > 59 * 60_000 && left < 61 * 60_000);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select(['kind', 'toAddress', 'status']).where('kind', '=', 'password_reset').execute(),
    );
    assert.deepEqual(mails, [{ kind: 'password_reset', toAddress: emailOf('owner'), status: 'not_configured' }]);
  });

  it('has the same response and the same statements for any address', async () => {
    const texts: Record<string, string[]> = {};
    for (const email of ['nobody-at-all@portal.test', emailOf('moderator')]) {
      const seen: string[] = [];
      // The job runs in the first process; this one only responds.
      const stop = other.db.onStatement((statement: Pick<Statement, 'text'>) => void seen.push(statement.text));
      const reply = await other.call('POST', '/auth/forgot-password', { body: { email } });
      stop();
      assert.deepEqual([reply.status, reply.body], [202, { accepted: true }]);
      texts[email] = seen;
    }
    const [unknown, known] = Object.values(texts);
    assert.deepEqual(unknown, known);
    while ((await requestsLeft()) > 0) await new Promise(setImmediate);
  });

  it('creates no link for a disabled user or a deleted account', async () => {
    const count = links.length;
    const set = (status: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ status }).where('email', '=', emailOf('rivalOwner')).execute());
    await set('disabled');
    await requestLink(emailOf('rivalOwner'));
    assert.equal(links.length, count);
    await set('active');
    await requestLink(emailOf('rivalOwner'));
    assert.equal(links.length, count + 1);
  });

  it('mails at most three links to one address in 15 minutes, with the same response', async () => {
    await forget(emailOf('rivalClientUser'));
    const count = links.length;
    for (let n = 0; n < 5; n++) await requestLink(emailOf('rivalClientUser'));
    assert.equal(links.length, count + 3);
  });

  it('is refused to a network address that requests links for many users', async () => {
    const fresh = await startTestService();
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 31; n++)
        statuses.push((await fresh.call('POST', '/auth/forgot-password', { body: { email: `guess${n}@portal.test` } })).status);
      assert.deepEqual([statuses.indexOf(429), statuses.filter((status) => status === 202).length], [30, 30]);
    } finally {
      await fresh.close();
    }
  });

  it('stores no link, only its hash', async () => {
    const token = await linkFor('owner');
    const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('passwordReset').selectAll().execute());
    const text = JSON.stringify(rows, (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value));
    assert.ok(rows.length > 0);
    assert.equal(text.includes(token), false);
  });
});

describe('a reset link', () => {
  it('sets a new password, ends every session and opens none', async () => {
    const session = service.bearer('owner').authorization.slice('Bearer '.length);
    assert.equal((await service.call('GET', '/auth/me', bearer(session))).status, 200);
    const token = await linkFor('owner');
    const done = await reset(token);
    assert.deepEqual([done.status, done.text], [204, '']);
    assert.equal((await service.call('GET', '/auth/me', bearer(session))).body.code, 'unauthenticated');
    assert.equal((await service.login(emailOf('owner'))).body.code, 'invalid_credentials');
    assert.equal((await service.login(emailOf('owner'), GOOD)).status, 200);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('kind').where('toAddress', '=', emailOf('owner')).where('kind', '=', 'password_changed').execute(),
    );
    assert.equal(mails.length, 1);
    const audit = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('changes').where('action', '=', 'user.password_reset').executeTakeFirstOrThrow(),
    );
    assert.deepEqual(audit.changes, { password: ['changed', 'changed'] });
    await setBack('owner');
  });

  it('works once, also when used concurrently in two processes', async () => {
    const token = await linkFor('owner');
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => reset(token, `${GOOD} ${n}`, n % 2 ? service : other)));
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [204, 410, 410, 410, 410, 410, 410, 410],
    );
    assert.equal((await reset(token)).body.code, 'reset_token_invalid');
    await setBack('owner');
  });

  it('is invalid once a newer one exists', async () => {
    const old = await linkFor('owner');
    const newest = await linkFor('owner');
    assert.deepEqual([(await reset(old)).status, (await reset(old)).body.code], [410, 'reset_token_invalid']);
    assert.equal((await reset(newest)).status, 204);
    await setBack('owner');
  });

  it('is invalid after 60 minutes, after the sessions were ended, and when it was never issued', async () => {
    const late = await linkFor('owner');
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('passwordReset')
        .set({ expiresAt: new Date(Date.now() - 60_000) })
        .execute(),
    );
    assert.equal((await reset(late)).body.code, 'reset_token_invalid');
    const ended = await linkFor('owner');
    const { body } = await service.login(emailOf('owner'));
    assert.equal((await service.call('POST', '/auth/logout-all', bearer(body.accessToken))).status, 204);
    assert.equal((await reset(ended)).body.code, 'reset_token_invalid');
    assert.equal((await reset('x'.repeat(43))).body.code, 'reset_token_invalid');
    assert.equal((await reset(await linkFor('owner'))).status, 204);
    await setBack('owner');
  });

  it('stays valid after a refused weak password', async () => {
    const token = await linkFor('moderator');
    const weak = await reset(token, 'Password123');
    assert.deepEqual([weak.status, weak.body.code, weak.body.errors[0].field], [422, 'weak_password', 'password']);
    assert.equal((await reset(token, 'short')).body.code, 'weak_password');
    assert.equal((await reset(token, 'moderator@portal.test')).body.errors[0].code, 'is_address');
    assert.equal((await reset(token)).status, 204);
    await setBack('moderator');
  });

  it('allows a user in who had failed too often before', async () => {
    const { limits } = service;
    const key = `${emailOf('moderator')} 127.0.0.1`;
    for (let n = 0; n < 10; n++) await limits.count('loginFailure', key);
    assert.equal((await service.login(emailOf('moderator'))).status, 429);
    assert.equal((await reset(await linkFor('moderator'))).status, 204);
    assert.equal((await service.login(emailOf('moderator'), GOOD)).status, 200);
    await setBack('moderator');
  });

  it('unblocks an account that was blocked by guesses from many addresses', async () => {
    const { limits } = service;
    const email = emailOf('moderator');
    const left = async () => (await limits.peek('loginFailureOfAccount', email)).remaining;
    const before = await left();
    assert.equal((await service.login(email, 'a wrong guess')).status, 401);
    assert.equal(await left(), before - 1, 'a wrong password counts for the account');
    assert.equal((await service.login(email)).status, 200);
    assert.equal(await left(), before - 1, 'a right one does not, and forgives no guess');
    // Guesses from many addresses.
    while ((await left()) > 0) await limits.count('loginFailureOfAccount', email);
    assert.deepEqual((await service.login(email)).body.code, 'rate_limited');
    assert.equal((await service.login(emailOf('owner'))).status, 200, 'no one else is blocked');
    assert.equal((await reset(await linkFor('moderator'))).status, 204);
    assert.equal((await service.login(email, GOOD)).status, 200);
    await setBack('moderator');
  });

  it('is issued once by a job that runs twice', async () => {
    await forget(emailOf('moderator'));
    const id = newId();
    await service.db.asSystem('seed', (tx) => insertResetRequest(tx, { id, email: emailOf('moderator'), at: new Date() }));
    let mailed = 0;
    const queueMail = async () => void (mailed += 1);
    await Promise.all([1, 2].map(() => sendResetLink({ ...service, queueMail }, id)));
    await sendResetLink({ ...service, queueMail }, id);
    assert.equal(mailed, 1);
  });
});

describe('changing one’s own password', () => {
  const change = (session: string, currentPassword: string, newPassword = GOOD) =>
    service.call('POST', '/auth/change-password', { ...bearer(session), body: { currentPassword, newPassword } });

  it('returns a new session and ends all others', async () => {
    const [here, there] = [await service.login(emailOf('clientUser')), await service.login(emailOf('clientUser'))];
    const done = await change(here.body.accessToken, PASSWORD);
    assert.deepEqual([done.status, done.body.user.email, done.body.user.authMethod], [200, emailOf('clientUser'), 'password']);
    assert.equal((await service.call('GET', '/auth/me', bearer(done.body.accessToken))).status, 200);
    for (const old of [here, there])
      assert.equal((await service.call('GET', '/auth/me', bearer(old.body.accessToken))).body.code, 'unauthenticated');
    assert.equal((await service.login(emailOf('clientUser'), GOOD)).status, 200);
    await setBack('clientUser');
  });

  it('does not extend the session: a password alone replaces neither the second step nor the identity provider', async () => {
    const { body } = await service.login(emailOf('clientUser'));
    const login = await service.db.asSystem('login', (tx) => findUserByEmail(tx, emailOf('clientUser')));
    assert.ok(login);
    const { id: userId, email, role, partnerId, clientId, sessionsValidFrom: validFrom } = login;
    const short = service.sessions.issue({ userId, email, role, partnerId, clientId, authMethod: 'password', validFrom }, 90);
    const done = await change(short.accessToken, PASSWORD);
    assert.equal(done.status, 200);
    assert.equal(done.body.expiresAt, short.expiresAt.toISOString());
    assert.ok(done.body.expiresAt < body.expiresAt);
    await setBack('clientUser');
  });

  it('refuses a wrong current password, counts it as a failed sign-in, and leaves the session valid', async () => {
    const { body } = await service.login(emailOf('otherClientUser'));
    const wrong = await change(body.accessToken, 'not the password');
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'invalid_credentials']);
    assert.equal((await service.call('GET', '/auth/me', bearer(body.accessToken))).status, 200);
    for (let n = 0; n < 9; n++) await change(body.accessToken, 'not the password');
    assert.equal((await change(body.accessToken, PASSWORD)).status, 429);
    assert.equal((await service.login(emailOf('otherClientUser'))).status, 429);
    await service.limits.forget('loginFailure', `${emailOf('otherClientUser')} 127.0.0.1`);
    await service.limits.forget('loginFailureOfAddress', '127.0.0.1');
    assert.equal((await change(body.accessToken, PASSWORD, 'Password123')).body.code, 'weak_password');
    assert.equal((await change(body.accessToken, PASSWORD)).status, 200);
    await setBack('otherClientUser');
  });

  it('accepts one of two concurrent changes', async () => {
    const { body } = await service.login(emailOf('rivalClientUser'));
    const replies = await Promise.all([
      change(body.accessToken, PASSWORD, `${GOOD} one`),
      change(body.accessToken, PASSWORD, `${GOOD} two`),
    ]);
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [200, 401],
    );
    await setBack('rivalClientUser');
  });

  it('needs a session', async () => {
    await service.assertRefused('POST', '/auth/change-password', {}, { currentPassword: 'a', newPassword: GOOD });
  });
});

describe('a password that can be typed in several ways', () => {
  const COMPOSED = 'söhne \u{1F377} weiß½ ﬁnden'.normalize('NFC');
  const DECOMPOSED = COMPOSED.normalize('NFD');
  const FULL_WIDTH = COMPOSED.replace('weiß', 'ｗｅｉß');
  const email = emailOf.bind(null, 'otherClientUser');
  const hashNow = async () =>
    (
      await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('appUser').select('passwordHash').where('email', '=', email()).executeTakeFirstOrThrow(),
      )
    ).passwordHash ?? '';
  const store = (passwordHash: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ passwordHash }).where('email', '=', email()).execute());

  it('is the same on every keyboard (NFKC), and another one is not', async () => {
    await store(await argon2Hasher.hash(DECOMPOSED));
    for (const typed of [COMPOSED, DECOMPOSED, FULL_WIDTH]) assert.equal((await service.login(email(), typed)).status, 200);
    assert.equal((await service.login(email(), COMPOSED.replace('ö', 'o'))).body.code, 'invalid_credentials');
    await store(await argon2Hasher.hash(PASSWORD));
  });

  it('of earlier, hashed as it was typed, works so and is hashed again, after which every way works', async () => {
    const before = await hashAsTyped(DECOMPOSED, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await store(before);
    assert.equal((await service.login(email(), COMPOSED)).body.code, 'invalid_credentials');
    assert.equal((await service.login(email(), DECOMPOSED)).status, 200);
    assert.notEqual(await hashNow(), before);
    const after = await hashNow();
    assert.equal((await service.login(email(), COMPOSED)).status, 200);
    assert.equal(await hashNow(), after);
    await store(await argon2Hasher.hash(PASSWORD));
  });
});

describe('a sign-in in progress', () => {
  it('is refused when its password was changed concurrently', async () => {
    let onVerified: () => Promise<unknown> = async () => undefined;
    const slow = {
      ...argon2Hasher,
      verify: async (hash: string, password: string) => {
        const right = await argon2Hasher.verify(hash, password);
        await onVerified();
        return right;
      },
    };
    const fresh = await startTestService({ identity: { hasher: slow } });
    try {
      const email = 'owner@portal.test';
      onVerified = () =>
        fresh.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ passwordHash: 'another' }).where('email', '=', email).execute());
      assert.equal((await fresh.login(email)).body.code, 'invalid_credentials');
      onVerified = async () => undefined;
      assert.equal((await fresh.login('moderator@portal.test')).status, 200);
    } finally {
      await fresh.close();
    }
  });

  it('is sent to the identity provider when the partner enforces it, after a correct password only', async () => {
    const ssoUrl = 'http://portal.test/sso/acme/start';
    const fresh = await startTestService({
      identity: { ssoRequirement: async (_tx, user) => (user.role === 'PARTNER' ? { ssoUrl } : null) },
    });
    try {
      const refused = await fresh.login('owner@portal.test');
      assert.deepEqual([refused.status, refused.body.code, refused.body.ssoUrl], [403, 'sso_required', ssoUrl]);
      assert.equal((await fresh.login('owner@portal.test', 'wrong password')).body.code, 'invalid_credentials');
      assert.equal((await fresh.login('clientuser@portal.test')).status, 200);
    } finally {
      await fresh.close();
    }
  });
});

describe('a reset link that is used while its user is changed or removed', () => {
  it('waits for that change without a deadlock', async () => {
    const token = await linkFor('rivalOwner');
    const { userId } = service.world.people.rivalOwner;
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    // A removal locks the user first, then the rows that depend on it.
    const removing = service.db.asSystem('seed', async (tx) => {
      await tx.selectFrom('appUser').select('id').where('id', '=', userId).forUpdate().execute();
      held.resolve(undefined);
      await goOn.promise;
      await tx.deleteFrom('passwordReset').where('userId', '=', userId).execute();
    });
    await held.promise;
    const resetting = reset(token);
    await until('the link waits for the removal', async () => (await countLockWaits(service.database)) > 0);
    goOn.resolve(undefined);
    await removing;
    assert.equal((await resetting).body.code, 'reset_token_invalid');
  });
});
