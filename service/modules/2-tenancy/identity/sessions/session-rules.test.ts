import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { PASSWORD, type Person } from '@partner-portal/tests/harness/world.ts';
import { Secret as TotpSecret, TOTP } from 'otpauth';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
let service: TestService;
/** A further process on the same database. */
let other: TestService;
before(async () => {
  const rules = { sessionRules: { idleSeconds: { ADMIN: 8 * 3600, PARTNER: null, CLIENT: 3600 } } };
  service = await startTestService({ clock, ...rules });
  other = await startTestService({ clock, ...rules, database: service.database, world: service.world });
});
after(async () => {
  await other.close();
  await service.close();
});

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const logIn = async (who: Person, password = PASSWORD): Promise<string> =>
  (await service.login(service.world.people[who].email, password)).body.accessToken as string; // the contract's session
const me = (token: string, headers: Record<string, string> = {}, at = service): Promise<TestReply> =>
  at.call('GET', '/auth/me', { headers: { ...bearer(token), ...headers } });
const post = (token: string, path: string, body: object = {}): Promise<TestReply> =>
  service.call('POST', path, { headers: bearer(token), body });
const codes = ({ status, body }: TestReply): unknown[] => [status, body?.code];

describe('two-step login', () => {
  it('ends the other sessions of the user when it is switched on or off, and keeps this one', async () => {
    const [here, there] = [await logIn('rivalOwner'), await logIn('rivalOwner')];
    const { secret } = (await post(here, '/auth/mfa/setup')).body;
    const totp = new TOTP({ secret: TotpSecret.fromBase32(secret) });
    const codeAt = (ms: number): string => totp.generate({ timestamp: clock.now().getTime() + ms });
    assert.equal((await me(there)).status, 200);
    assert.equal((await post(here, '/auth/mfa/enable', { token: codeAt(0) })).status, 200);
    assert.deepEqual([(await me(here)).status, ...codes(await me(there))], [200, 401, 'unauthenticated']);
    const again = (await service.login(service.world.people.rivalOwner.email)).body.tempToken as string; // a challenge
    aheadMs += MINUTE;
    const second = await service.call('POST', '/auth/mfa/verify', { body: { tempToken: again, token: codeAt(0) } });
    assert.equal(second.status, 200, second.text);
    aheadMs += MINUTE;
    assert.equal((await post(here, '/auth/mfa/disable', { token: codeAt(0) })).status, 200);
    assert.deepEqual([(await me(here)).status, ...codes(await me(second.body.accessToken))], [200, 401, 'unauthenticated']);
  });
});

describe('a session that no one uses', () => {
  beforeEach(() => (aheadMs += 60 * MINUTE));

  it('ends after eight hours for staff, says so, and stays ended; used in time it goes on', async () => {
    const [used, left] = [await logIn('staff'), await logIn('staff')];
    aheadMs += 7 * HOUR;
    assert.equal((await me(used)).status, 200);
    aheadMs += 2 * HOUR;
    assert.equal((await me(used)).status, 200);
    const ended = await me(left);
    assert.deepEqual([...codes(ended), ended.body.title], [401, 'session_idle', 'You were away for too long']);
    assert.match(ended.body.detail, /8 hours/);
    assert.equal(ended.headers['www-authenticate'], 'Bearer error="invalid_token"');
    aheadMs -= 3 * HOUR;
    assert.deepEqual(codes(await me(left)), [401, 'unauthenticated']);
  });

  it('does not end where the setting is off', async () => {
    const token = await logIn('owner');
    aheadMs += 20 * HOUR;
    assert.equal((await me(token)).status, 200);
  });

  it('is not kept by a page that no one touches', async () => {
    const token = await logIn('clientUser');
    for (let n = 0; n < 2; n += 1) {
      aheadMs += 40 * MINUTE;
      const { status } = await me(token, { 'x-unattended': 'true' });
      assert.equal(status, n === 0 ? 200 : 401);
    }
  });

  it('is used for every process that shares the database', async () => {
    const token = await logIn('clientUser');
    aheadMs += 50 * MINUTE;
    assert.equal((await me(token, {}, other)).status, 200);
    const noted = async () =>
      (
        await service.db.asSystem('seed', (tx) =>
          tx.selectFrom('userSession').select('lastUsedAt').orderBy('lastUsedAt', 'desc').executeTakeFirstOrThrow(),
        )
      ).lastUsedAt;
    const at = clock.now().getTime();
    await until('the use is noted', async () => (await noted()).getTime() > at - MINUTE);
    aheadMs += 50 * MINUTE;
    assert.equal((await me(token)).status, 200);
  });

  it('costs no query while this process knows its last use', async () => {
    const token = await logIn('clientUser');
    const count = () => service.countStatements(() => me(token));
    assert.equal(await count(), 4);
  });
});

describe('staff where two-step login is required', () => {
  let strict: TestService;
  before(async () => {
    strict = await startTestService({
      clock,
      database: service.database,
      world: service.world,
      sessionRules: { staffMfaRequired: true },
    });
  });
  after(() => strict.close());
  const view = (
    token: string,
    of: { partnerId?: string; clientId?: string } = { partnerId: service.world.partnerId },
  ): Promise<TestReply> =>
    strict.call('POST', '/auth/view-as', { headers: bearer(token), body: { ...of, reason: 'A question of theirs' } });

  it('without one may only set it up, and work in the same session once it is on', async () => {
    const token = await logIn('staff');
    assert.deepEqual(codes(await view(token)), [403, 'mfa_setup_required']);
    assert.deepEqual([(await me(token, {}, strict)).status, (await me(token, {}, strict)).body.mfaSetupRequired], [200, true]);
    const agency = await view(await logIn('owner'), { clientId: service.world.clientId });
    assert.equal(agency.status, 200, 'an agency keeps its switch per user');
    const { secret } = (await strict.call('POST', '/auth/mfa/setup', { headers: bearer(token) })).body;
    const body = { token: new TOTP({ secret: TotpSecret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() }) };
    assert.equal((await strict.call('POST', '/auth/mfa/enable', { headers: bearer(token), body })).status, 200);
    assert.equal((await view(token)).status, 200);
    assert.equal((await me(token, {}, strict)).body.mfaSetupRequired, false);
  });
});
