import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { PASSWORD } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';

let service: TestService;
let aheadMs = 0;
const lines: string[] = [];
before(async () => {
  service = await startTestService({ clock: { now: () => new Date(Date.now() + aheadMs) }, logLine: (line) => lines.push(line) });
});
after(() => service.close());

type Listed = { id: string; browser: string | null; system: string | null; address: string; isCurrent: boolean; lastUsedAt: string };
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const OWNER = 'owner@portal.test';

const bearer = (token: string, agent = WINDOWS) => ({ headers: { authorization: `Bearer ${token}`, 'user-agent': agent } });
const logIn = async (email = OWNER, agent = WINDOWS): Promise<string> => {
  const { body } = await service.call('POST', '/auth/login', { body: { email, password: PASSWORD }, headers: { 'user-agent': agent } });
  return body.accessToken as string; // the contract's session
};
const list = async (token: string): Promise<Listed[]> => (await service.call('GET', '/auth/sessions', bearer(token))).body as Listed[]; // checked by its schema
/** By revocation: the database, which ends all by its own clock, is behind that of the test. */
const endAll = async (): Promise<void> => {
  const last = bearer(await logIn());
  await service.call('POST', '/auth/sessions/end-others', last);
  await service.call('POST', '/auth/logout', last);
};
const isOpen = async (token: string): Promise<boolean> => (await service.call('GET', '/auth/me', bearer(token))).status === 200;

describe('the own sessions', () => {
  // Before the clock of the test leaves that of the database, which ends the old ones.
  it('restart with a new password: the old ones are gone, the one it returns is listed', async () => {
    const email = 'rivalowner@portal.test';
    await logIn(email, PHONE);
    const changed = await service.call('POST', '/auth/change-password', {
      ...bearer(await logIn(email)),
      body: { currentPassword: PASSWORD, newPassword: 'eleven blue herons' },
    });
    const seen = await list(changed.body.accessToken as string);
    assert.deepEqual(
      seen.map(({ isCurrent }) => isCurrent),
      [true],
    );
  });

  it('are listed with browser, system and address, the last used first, and this one is marked', async () => {
    await endAll();
    const first = await logIn(OWNER, PHONE);
    aheadMs += 1000;
    const second = await logIn();
    const seen = await list(second);
    assert.deepEqual(
      seen.map(({ browser, system, address, isCurrent }) => ({ browser, system, address, isCurrent })),
      [
        { browser: 'Chrome', system: 'Windows', address: '127.0.0.1', isCurrent: true },
        { browser: 'Safari', system: 'iOS', address: '127.0.0.1', isCurrent: false },
      ],
    );
    assert.equal((await list(first)).find(({ isCurrent }) => isCurrent)?.browser, 'Safari');
  });

  it('never hold those of another user of the agency', async () => {
    const moderator = await logIn('moderator@portal.test');
    const [own] = await list(moderator);
    const owner = await logIn();
    assert.equal(
      (await list(owner)).some(({ id }) => id === own?.id),
      false,
    );
    const refused = await service.call('DELETE', `/auth/sessions/${own?.id}`, bearer(owner));
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found']);
    assert.equal(await isOpen(moderator), true);
  });

  it('end one at a time, and a session that has ended is listed no more', async () => {
    await endAll();
    const lost = await logIn(OWNER, PHONE);
    const kept = await logIn();
    const id = (await list(kept)).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    assert.equal((await service.call('DELETE', `/auth/sessions/${id}`, bearer(kept))).status, 204);
    assert.deepEqual([await isOpen(lost), await isOpen(kept)], [false, true]);
    assert.equal((await list(kept)).length, 1);
    assert.equal((await service.call('DELETE', `/auth/sessions/${id}`, bearer(kept))).body.code, 'not_found');
  });

  it('end all but the one that asks', async () => {
    await endAll();
    const others = [await logIn(OWNER, PHONE), await logIn()];
    const kept = await logIn();
    const { body } = await service.call('POST', '/auth/sessions/end-others', bearer(kept));
    assert.deepEqual(body, { ended: 2 });
    assert.deepEqual([await isOpen(others[0] ?? ''), await isOpen(others[1] ?? ''), await isOpen(kept)], [false, false, true]);
  });

  it('are no rows that a tenant may read, not even those of the own agency', async () => {
    const { partnerId } = service.world;
    const read = () =>
      service.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => sql`select 1 from user_session`.execute(tx));
    await assert.rejects(read(), /permission denied for table user_session/);
  });

  it('are closed to a view-as session and to callers without one', async () => {
    const staff = await logIn('staff@portal.test');
    const { body } = await service.call('POST', '/auth/view-as', {
      ...bearer(staff),
      body: { partnerId: service.world.partnerId, reason: 'To look.' },
    });
    assert.equal((await service.call('GET', '/auth/sessions', bearer(body.accessToken as string))).body.code, 'view_as_read_only');
    await service.assertRefused('GET', '/auth/sessions', {});
    await service.assertRefused('POST', '/auth/sessions/end-others', {});
  });
});

/** A session as it was opened before sessions were recorded. */
const issueUnrecorded = () =>
  service.sessions.issue({ ...service.world.people.owner, authMethod: 'password', validFrom: new Date(Date.now() + aheadMs) });
const grant = (text: string) => service.database.query(text);
/** How many statements of this name the work sends. */
async function statementsOf(name: string, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = service.db.onStatement((statement) => void (count += statement.name === name ? 1 : 0));
  await work();
  stop();
  return count;
}

describe('the last use of a session', () => {
  it('is noted with its address and browser, at most once in five minutes', async () => {
    await endAll();
    const token = await logIn();
    const me = () => service.call('GET', '/auth/me', bearer(token, PHONE));
    const usual = await service.countStatements(me);
    aheadMs += 6 * 60_000;
    await me();
    const seen = await until('it is noted', async () => (await list(token)).find(({ browser }) => browser === 'Safari'));
    assert.ok(Date.parse(seen.lastUsedAt) > Date.now() + aheadMs - 60_000);
    assert.equal(await service.countStatements(me), usual);
  });

  it('is not noted of a session that has ended', async () => {
    const token = await logIn();
    await service.call('POST', '/auth/logout', bearer(token));
    aheadMs += 6 * 60_000;
    assert.equal(await statementsOf('identity_session_used', () => isOpen(token)), 0);
    const { accessToken } = issueUnrecorded();
    aheadMs += 6 * 60_000;
    assert.equal(await statementsOf('identity_session_used', () => isOpen(accessToken)), 1);
  });

  it('fails no request, and is noted by the next one when it failed', async () => {
    await endAll();
    const token = await logIn();
    const me = () => service.call('GET', '/auth/me', bearer(token, PHONE));
    aheadMs += 6 * 60_000;
    lines.length = 0;
    await grant('revoke execute on function note_session from portal_service');
    assert.equal((await me()).status, 200);
    await until('it is logged', () => lines.some((line) => line.includes('the use of a session was not noted')));
    await grant('grant execute on function note_session to portal_service');
    assert.equal((await me()).status, 200);
    await until('it is noted', async () => (await list(token)).some(({ browser }) => browser === 'Safari'));
  });

  it('adds a session that was opened before sessions were recorded', async () => {
    await endAll();
    aheadMs += 1000;
    const old = issueUnrecorded();
    assert.equal((await list(old.accessToken)).length, 0);
    aheadMs += 6 * 60_000;
    await isOpen(old.accessToken);
    const [seen] = await until('it is noted', async () => {
      const all = await list(old.accessToken);
      return all.length > 0 && all;
    });
    assert.deepEqual([seen?.id, seen?.isCurrent], [old.jti, true]);
  });
});
