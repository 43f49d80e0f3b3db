import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { withClient } from '#platform/db/roles.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startOidcProvider, type TestOidc } from '@partner-portal/tests/harness/oidc-provider.ts';
import { startTestService, TEST_RING, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser, type SsoBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { destroyDataKey } from '#modules/1-ledger/data-keys/index.ts';
import { sealAsBefore } from '@partner-portal/tests/harness/old-seal.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { resealClientSecrets, sso, ssoRequirement } from './index.ts';

const BASE = 'http://portal.test';
let provider: TestOidc;
let service: TestService;
let browser: SsoBrowser;
const OWNER = 'owner@portal.test';

before(async () => {
  provider = await startOidcProvider([`${BASE}/sso/acme/callback`, `${BASE}/sso/rival/callback`]);
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.issuer).host] });
  service = await startTestService({
    identity: { ssoRequirement: ssoRequirement(BASE) },
    modules: (platform) => [
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock }),
        isProduction: false,
      }),
      partners(platform),
      invitations({ ...platform, ssoRequirement: ssoRequirement(BASE) }),
    ],
  });
});
after(async () => {
  await service.close();
  await provider.close();
});
beforeEach(() => {
  browser = openBrowser(service);
  provider.signIn({ email: OWNER, email_verified: true, name: 'Olive Owner' });
});

const connection = (more: object = {}) => ({
  protocol: 'oidc',
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  emailDomains: ['portal.test'],
  ...more,
});
const save = (more: object = {}, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('PUT', '/sso/connection', { as, body: connection(more) });
const read = async () => (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
const enforce = (enforced: boolean) => service.call('PATCH', '/sso/enforcement', { as: 'owner', body: { enforced } });
const runTest = async (as: 'owner' | 'rivalOwner' = 'owner') =>
  browser.go((await service.call('POST', '/sso/connection/test', { as })).body.url);
/** A saved and verified connection. */
async function connect(more: object = {}): Promise<void> {
  await service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set({ enforced: false }).execute());
  assert.equal((await save(more)).status, 200);
  assert.equal((await runTest()).searchParams.get('test'), 'ok');
}
const arrive = (slug = 'acme', query = '') => browser.go(`${BASE}/sso/${slug}/start${query}`);
const problemOf = (url: URL) => url.searchParams.get('problem');
async function signIn(): Promise<{ authorization: string }> {
  const { status, body } = await browser.exchange((await arrive()).searchParams.get('code') ?? '');
  assert.equal(status, 200, JSON.stringify(body));
  return { authorization: `Bearer ${body.accessToken}` };
}

describe('a connection', () => {
  it('is a draft that allows no sign-in until a test login has verified it', async () => {
    assert.deepEqual([(await read()).id, (await read()).configured], [null, false]);
    const { status, body } = await save();
    assert.equal(status, 200);
    assert.equal(body.id, service.world.partnerId);
    assert.deepEqual([body.status, body.enforced, body.configured, body.available], ['draft', false, true, true]);
    assert.deepEqual([body.callbackUrl, body.loginUrl], [`${BASE}/sso/acme/callback`, `${BASE}/login?sso=acme`]);
    assert.equal(problemOf(await arrive()), 'not_available');
    const back = await runTest();
    assert.deepEqual([back.pathname, back.searchParams.get('test'), back.searchParams.get('code')], ['/login/callback', 'ok', null]);
    const verified = await read();
    assert.equal(verified.status, 'verified');
    assert.deepEqual([verified.lastTest.ok, verified.lastTest.claims.email], [true, OWNER]);
    assert.ok((await arrive()).searchParams.get('code'));
  });

  it('lets the sign-in page of a verified connection show the agency, and of no other slug', async () => {
    const brandOf = async (slug: string) => (await service.call('GET', `/sso/${slug}/brand`, {})).body.brand;
    await save();
    assert.equal(await brandOf('acme'), null);
    await connect();
    const { name, brandColor } = (await service.call('GET', '/partners/me', { as: 'owner' })).body;
    assert.deepEqual(await brandOf('acme'), { name, logoUrl: null, brandColor });
    assert.equal(await brandOf('rival'), null);
    assert.equal(await brandOf('no-such-agency'), null);
  });

  it('never exposes its secret: not in responses, audit entries or plain text in the table', async () => {
    await connect();
    for (const path of ['/sso/connection', '/auth/me'])
      assert.ok(!(await service.call('GET', path, { as: 'owner' })).text.includes(provider.clientSecret));
    const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('ssoConnection').selectAll().execute());
    const audits = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').selectAll().where('action', 'like', 'sso.%').execute(),
    );
    assert.ok(audits.length > 0);
    assert.ok(
      !JSON.stringify([rows.map((row) => ({ ...row, clientSecretSealed: row.clientSecretSealed?.toString('latin1') })), audits]).includes(
        provider.clientSecret,
      ),
    );
    assert.equal((await save({ clientSecret: undefined })).status, 200);
    const moved = await save({ clientSecret: undefined, issuer: `${provider.issuer}/other` });
    assert.deepEqual([moved.status, moved.body.errors[0].field], [422, 'clientSecret']);
  });

  it('that changed since it was read is not overwritten by a save with its If-Match', async () => {
    const put = (version: string) =>
      service.call('PUT', '/sso/connection', { as: 'owner', body: connection({}), headers: { 'if-match': `"${version}"` } });
    assert.equal((await save()).status, 200);
    const { updatedAt } = await read();
    const stale = await put('2020-01-01T00:00:00.000Z');
    assert.deepEqual([stale.status, stale.body.code, (await read()).updatedAt], [412, 'stale_record', updatedAt]);
    assert.equal((await put(updatedAt)).status, 200);
    assert.equal((await put(new Date(0).toISOString())).status, 412, 'a form that was opened before there was one');
    // A login through the provider changes nothing that a form shows.
    const after = await read();
    await service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set({ lastLoginAt: new Date() }).execute());
    assert.equal((await put(after.updatedAt)).status, 200);
  });

  it('is refused for an invalid provider and for a private address', async () => {
    const unknown = await save({ issuer: `${provider.issuer}/nothing` });
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [422, 'issuer']);
    for (const issuer of ['http://169.254.169.254/', 'http://127.0.0.1:1/', 'http://[::1]/', 'http://localhost/']) {
      const inside = await save({ issuer });
      assert.deepEqual([inside.status, inside.body.code], [422, 'private_address'], issuer);
    }
  });

  it('can be changed by partner admins and seen by the team, on plans with the feature only', async () => {
    await service.assertRefused(
      'PUT',
      '/sso/connection',
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' },
      connection(),
    );
    assert.equal((await service.call('GET', '/sso/connection', { as: 'moderator' })).status, 200);
    const staff = (await service.login(service.world.people.staff.email)).body.accessToken;
    const request = {
      headers: { authorization: `Bearer ${staff}` },
      body: { partnerId: service.world.partnerId, reason: 'They asked for help.' },
    };
    const view = (await service.call('POST', '/auth/view-as', request)).body.accessToken;
    const seen = await service.call('GET', '/sso/connection', { headers: { authorization: `Bearer ${view}` } });
    assert.deepEqual([seen.status, seen.body.available, seen.body.callerSignedIn], [200, true, false], 'staff in a view-as session');
    const trial = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('plan').select('id').where('name', '=', 'Trial').executeTakeFirstOrThrow(),
    );
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('subscription').set({ planId: trial.id }).where('partnerId', '=', service.world.rivalPartnerId).execute(),
    );
    const refused = await save({}, 'rivalOwner');
    assert.deepEqual([refused.status, refused.body.code], [403, 'plan_feature_required']);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('subscription')
        .set({ overrides: JSON.stringify({ features: { sso: true } }) })
        .where('partnerId', '=', service.world.rivalPartnerId)
        .execute(),
    );
    assert.equal((await save({}, 'rivalOwner')).status, 200);
  });
});

describe('a login through the provider', () => {
  it('opens a session of that member, without a second step of the portal', async () => {
    await connect();
    const headers = await signIn();
    const { body } = await service.call('GET', '/auth/me', { headers });
    assert.deepEqual([body.user.email, body.user.authMethod, body.user.partnerRole], [OWNER, 'oidc', 'admin']);
    assert.ok((await read()).lastLoginAt);
  });

  it('ends the problem that reading the provider had: the login has just read it', async () => {
    await connect();
    const fail = () =>
      service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set({ metadataProblem: 'It answered 503.' }).execute());
    await fail();
    assert.equal((await read()).metadataProblem, 'It answered 503.');
    await signIn();
    assert.equal((await read()).metadataProblem, null);
    await fail();
    browser = openBrowser(service);
    assert.equal((await runTest()).searchParams.get('test'), 'ok');
    assert.equal((await read()).metadataProblem, null, 'as does a test login');
  });

  it('ends in a code that works once, for a minute, in the same browser', async () => {
    await connect();
    const stolen = (await arrive()).searchParams.get('code') ?? '';
    assert.equal((await openBrowser(service).exchange(stolen)).status, 401);
    assert.equal((await browser.exchange(stolen)).status, 401, 'a code tried in another browser is used up');
    const late = (await arrive()).searchParams.get('code') ?? '';
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('ssoCode')
        .set({ expiresAt: new Date(Date.now() - 60_000) })
        .execute(),
    );
    assert.equal((await browser.exchange(late)).status, 401);
    const code = (await arrive()).searchParams.get('code') ?? '';
    const replies = await Promise.all([browser.exchange(code), browser.exchange(code), browser.exchange(code)]);
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [200, 401, 401],
    );
  });

  it('is for members whose address the provider vouches for, inside the domains', async () => {
    await connect();
    const cases = [
      [{ email: OWNER, email_verified: false }, 'email_not_verified'],
      [{ email: 'owner@elsewhere.test', email_verified: true }, 'email_outside_domains'],
      [{ email: 'stranger@portal.test', email_verified: true }, 'no_member'],
      [{ email: service.world.people.clientUser.email, email_verified: true }, 'no_member'],
      [{ email: service.world.people.rivalOwner.email, email_verified: true }, 'no_member'],
    ] as const;
    for (const [person, problem] of cases) {
      browser = openBrowser(service);
      provider.signIn(person);
      const back = await arrive();
      assert.deepEqual([problemOf(back), back.searchParams.get('code')], [problem, null], person.email);
      assert.ok(!back.search.includes('@'), 'an address stays behind the #');
    }
    browser = openBrowser(service);
    provider.signIn({ email: OWNER.toUpperCase(), email_verified: true });
    assert.ok((await arrive()).searchParams.get('code'), 'the member, however the provider spells the address');
  });

  it('is refused to a disabled member and allowed again when enabled', async () => {
    await connect();
    const { userId, email } = service.world.people.moderator;
    // The provider remembers who its browser is.
    browser = openBrowser(service);
    provider.signIn({ email, email_verified: true });
    const setStatus = (status: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set({ status }).where('id', '=', userId).execute());
    await setStatus('disabled');
    assert.equal(problemOf(await arrive()), 'user_disabled');
    await setStatus('active');
    browser = openBrowser(service);
    provider.signIn({ email, email_verified: true });
    const code = (await arrive()).searchParams.get('code') ?? '';
    await setStatus('disabled');
    assert.equal((await browser.exchange(code)).body.code, 'user_disabled');
    await setStatus('active');
  });

  it('returns to a page of the portal only', async () => {
    await connect();
    const returned = async (to: string) => (await arrive('acme', `?returnTo=${encodeURIComponent(to)}`)).searchParams.get('returnTo');
    assert.equal(await returned('/dashboard/runs?status=FAILED'), '/dashboard/runs?status=FAILED');
    assert.equal(await returned('/dashboard/runs#today'), '/dashboard/runs#today');
    for (const to of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/\t/evil.test', '/.//evil.test'])
      assert.equal((await returned(to))?.includes('evil.test') ?? false, false, to);
  });

  it('does not reveal which partners exist', async () => {
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoConnection').execute());
    const step = (slug: string) => browser.step(new URL(`${BASE}/sso/${slug}/start`));
    const [known, unknown] = await Promise.all([step('acme'), step('nobody-here')]);
    assert.deepEqual([known.status, known.next?.href], [unknown.status, unknown.next?.href]);
  });
});

describe('the response of a provider', () => {
  /** Returns the address to which the provider sends the browser, not yet visited. */
  async function responseUrl(slug = 'acme'): Promise<URL> {
    let url = new URL(`${BASE}/sso/${slug}/start`);
    for (let count = 0; count < 10 && !url.pathname.endsWith('/callback'); count += 1) {
      const { next } = await browser.step(url);
      assert.ok(next, `${url.href} leads on`);
      url = next;
    }
    return url;
  }
  const visit = async (url: URL, by: SsoBrowser = browser) => (await by.step(url)).next ?? new URL(BASE);

  it('works once', async () => {
    await connect();
    const response = await responseUrl();
    assert.ok((await visit(response)).searchParams.get('code'));
    assert.equal(problemOf(await visit(response)), 'expired');
  });

  it('works only in the browser that started, and is used up by any other', async () => {
    await connect();
    const response = await responseUrl();
    assert.equal(problemOf(await visit(response, openBrowser(service))), 'answer_not_valid');
    assert.equal(problemOf(await visit(response)), 'expired');
  });

  it('works with its own state, code and issuer only', async () => {
    await connect();
    const change = async (name: string, value: string) => {
      const response = await responseUrl();
      response.searchParams.set(name, value);
      return problemOf(await visit(response));
    };
    assert.equal(await change('state', 'x'.repeat(43)), 'expired');
    assert.equal(await change('code', 'x'.repeat(43)), 'answer_not_valid');
    assert.equal(await change('iss', 'https://evil.test'), 'answer_not_valid');
    assert.ok((await visit(await responseUrl())).searchParams.get('code'));
  });

  it('works at its own partner only', async () => {
    await connect();
    const response = await responseUrl();
    response.pathname = '/sso/rival/callback';
    assert.equal(problemOf(await visit(response)), 'answer_not_valid');
  });

  it('works for its own connection only', async () => {
    await connect();
    const response = await responseUrl();
    await save();
    assert.equal(problemOf(await visit(response)), 'answer_not_valid');
  });

  it('ends in a code of its own connection only: another that is saved, or its removal, voids it', async () => {
    const code = async () => (await arrive()).searchParams.get('code') ?? '';
    await connect();
    const ofFormer = await code();
    assert.equal((await save({ emailDomains: ['portal.test', 'else.test'] })).status, 200);
    assert.deepEqual([(await browser.exchange(ofFormer)).body.code, (await read()).callerSignedIn], ['invalid_credentials', false]);
    assert.equal((await runTest()).searchParams.get('test'), 'ok');
    assert.equal((await browser.exchange(await code())).status, 200);
    const ofRemoved = await code();
    assert.equal((await service.call('DELETE', '/sso/connection', { as: 'owner' })).status, 204);
    assert.equal((await browser.exchange(ofRemoved)).body.code, 'invalid_credentials');
  });

  it('that comes while another connection is saved ends in no code', async () => {
    await connect();
    const response = await responseUrl();
    const { host, name } = service.database;
    const visited = await withClient({ ...host.adminConfig, database: name }, async (client) => {
      await client.query('begin');
      await client.query("update sso_connection set configured_at = now() - interval '1 day' where partner_id = $1", [
        service.world.partnerId,
      ]);
      let hasAnswered = false;
      const answer = visit(response).finally(() => (hasAnswered = true));
      while (!hasAnswered && (await countLockWaits(service.database)) === 0);
      await client.query('commit');
      return answer;
    });
    const code = visited.searchParams.get('code') ?? '';
    assert.notEqual(code, '');
    assert.equal((await browser.exchange(code)).body.code, 'invalid_credentials');
  });

  it('that refuses the login is shown as a refusal', async () => {
    await connect();
    const response = await responseUrl();
    response.searchParams.delete('code');
    response.searchParams.set('error', 'access_denied');
    assert.equal(problemOf(await visit(response)), 'provider_refused');
  });
});

describe('enforcement', () => {
  it('needs a verified connection and a sign-in through it by the enforcing admin', async () => {
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoConnection').execute());
    assert.equal((await enforce(true)).body.code, 'sso_not_verified');
    await save();
    assert.equal((await enforce(true)).body.code, 'sso_not_verified');
    await runTest();
    assert.equal((await enforce(true)).body.code, 'sso_not_verified', 'a test is no sign-in');
    await signIn();
    assert.deepEqual([(await enforce(true)).body.enforced, (await read()).callerSignedIn], [true, true]);
    await enforce(false);
  });

  it('blocks passwords of the team, not of client users and staff, and prevents changes of the connection', async () => {
    await connect();
    await signIn();
    assert.equal((await enforce(true)).status, 200);
    for (const person of ['owner', 'moderator'] as const) {
      const refused = await service.login(service.world.people[person].email);
      assert.deepEqual([refused.status, refused.body.code, refused.body.ssoUrl], [403, 'sso_required', `${BASE}/login?sso=acme`]);
    }
    assert.equal(
      (await service.login(OWNER, 'a wrong password')).body.code,
      'invalid_credentials',
      'reported after a correct password only',
    );
    for (const person of ['clientUser', 'staff', 'rivalOwner'] as const)
      assert.equal((await service.login(service.world.people[person].email)).status, 200, person);
    assert.equal((await save()).body.code, 'invalid_state');
    assert.equal((await service.call('DELETE', '/sso/connection', { as: 'owner' })).body.code, 'invalid_state');
    await signIn();
    assert.equal((await enforce(false)).body.enforced, false);
    assert.equal((await service.login(OWNER)).status, 200);
    assert.equal((await service.call('DELETE', '/sso/connection', { as: 'owner' })).status, 204);
  });

  it('of a connection that changed since it was read is refused, with its If-Match', async () => {
    await connect();
    await signIn();
    const { updatedAt } = await read();
    const patch = (enforced: boolean, version: string) =>
      service.call('PATCH', '/sso/enforcement', { as: 'owner', body: { enforced }, headers: { 'if-match': `"${version}"` } });
    const first = await patch(true, updatedAt);
    assert.deepEqual([first.status, first.body.enforced], [200, true]);
    const stale = await patch(false, updatedAt);
    assert.deepEqual([stale.status, stale.body.code, (await read()).enforced], [412, 'stale_record', true]);
    assert.equal((await patch(false, first.body.updatedAt)).body.enforced, false);
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoConnection').execute());
    assert.equal((await patch(false, first.body.updatedAt)).body.code, 'stale_record', 'it was removed since');
  });

  it('is lifted by staff for a locked-out team, with a reason, and every admin gets a mail', async () => {
    await connect();
    await signIn();
    await enforce(true);
    const { partnerId } = service.world;
    const release = { partnerId, reason: 'Provider is down' };
    const isEnforced = async () => (await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.ssoEnforced;
    assert.equal(await isEnforced(), true);
    await service.assertRefused('POST', '/sso/enforcement/release', { moderator: 'role_forbidden', clientUser: 'role_forbidden' });
    assert.equal((await service.call('POST', '/sso/enforcement/release', { as: 'staff', body: release })).status, 204);
    assert.equal((await service.call('POST', '/sso/enforcement/release', { as: 'staff', body: release })).body.code, 'invalid_state');
    assert.equal(await isEnforced(), false);
    assert.equal((await service.login(OWNER)).status, 200);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('toAddress').where('kind', '=', 'sso_released').where('partnerId', '=', partnerId).execute(),
    );
    assert.deepEqual(
      mails.map((mail) => mail.toAddress),
      [OWNER],
    );
  });

  it('enforces nothing once the plan has lost the feature', async () => {
    await connect();
    await signIn();
    await enforce(true);
    const set = (overrides: object) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('subscription')
          .set({ overrides: JSON.stringify(overrides) })
          .where('partnerId', '=', service.world.partnerId)
          .execute(),
      );
    await set({ features: { sso: false } });
    assert.equal((await service.login(OWNER)).status, 200);
    await set({});
    assert.equal((await service.login(OWNER)).body.code, 'sso_required');
    await enforce(false);
  });
});

describe('an invitation while single sign-on is enforced', () => {
  const NEW = 'new.person@portal.test';
  const asOwner = async () => ({ headers: { ...(await signIn()) } });
  const invite = async (email: string) => {
    const made = await service.call('POST', '/invitations', { ...(await asOwner()), body: { kind: 'team', email } });
    assert.equal(made.status, 201, made.text);
    return made.body as { id: string; acceptUrl: string };
  };
  const tokenOf = ({ acceptUrl }: { acceptUrl: string }) => acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
  const users = (email: string) =>
    service.db.asSystem('seed', (tx) =>
      tx.selectFrom('appUser').select(['partnerRole', 'passwordHash']).where('email', '=', email).execute(),
    );
  const arriveAs = async (email: string) => {
    browser = openBrowser(service);
    provider.signIn({ email, email_verified: true });
    return arrive();
  };

  beforeEach(async () => {
    await connect();
    await signIn();
    assert.equal((await enforce(true)).status, 200);
  });
  afterEach(async () => void (await enforce(false)));

  it('is accepted by the first login through the provider, without a password, once', async () => {
    const invitation = await invite(NEW);
    const shown = await service.call('GET', `/invitations/token/${tokenOf(invitation)}`);
    assert.equal(shown.body.ssoUrl, `${BASE}/login?sso=acme`);
    const code = (await arriveAs(NEW)).searchParams.get('code') ?? '';
    const { status, body } = await browser.exchange(code);
    assert.deepEqual([status, body.user.email], [200, NEW]);
    assert.deepEqual(await users(NEW), [{ partnerRole: 'moderator', passwordHash: null }]);
    assert.equal((await service.call('GET', `/invitations/token/${tokenOf(invitation)}`)).body.code, 'invitation_used');
    assert.ok((await arriveAs(NEW)).searchParams.get('code'), 'as a member from then on');
  });

  it('that is accepted with a password opens no session, and a client’s does', async () => {
    const accept = async (made: { acceptUrl: string }) =>
      (await service.call('POST', '/invitations/accept', { body: { token: tokenOf(made), password: 'nine quiet herons' } })).body;
    assert.deepEqual(await accept(await invite('typed@portal.test')), { email: 'typed@portal.test', session: null });
    const { clientId } = service.world;
    const body = { kind: 'client_user', clientId, email: 'typed-client@portal.test' };
    const { session } = await accept((await service.call('POST', '/invitations', { ...(await asOwner()), body })).body);
    assert.deepEqual([session.user.role, session.user.clientId, session.user.authMethod], ['CLIENT', clientId, 'password']);
  });

  it('that was revoked, is of another agency, or is of a client’s user admits no one', async () => {
    const { id } = await invite('revoked@portal.test');
    assert.equal((await service.call('POST', `/invitations/${id}/revoke`, await asOwner())).status, 200);
    await service.call('POST', '/invitations', { as: 'rivalOwner', body: { kind: 'team', email: 'foreign@portal.test' } });
    const { clientId } = service.world;
    await service.call('POST', '/invitations', {
      ...(await asOwner()),
      body: { kind: 'client_user', clientId, email: 'client@portal.test' },
    });
    for (const email of ['revoked@portal.test', 'foreign@portal.test', 'client@portal.test', 'nobody@portal.test']) {
      assert.equal(problemOf(await arriveAs(email)), 'no_member', email);
      assert.deepEqual(await users(email), [], email);
    }
  });

  it('to an address with an account elsewhere says so to its person; the agency does not learn it', async () => {
    const { email } = service.world.people.rivalOwner;
    assert.equal(problemOf(await arriveAs(email)), 'no_member', 'without an invitation');
    browser = openBrowser(service);
    provider.signIn({ email: OWNER, email_verified: true });
    await invite(email);
    assert.equal(problemOf(await arriveAs(email)), 'account_elsewhere');
    const { items } = (await service.call('GET', '/sso/failed-logins', { as: 'owner' })).body;
    const seen = items.filter((one: Record<string, string>) => one['email'] === email);
    assert.deepEqual(
      seen.slice(0, 2).map(({ problem, detail }: Record<string, string>) => [problem, detail]),
      [
        ['no_member', null],
        ['no_member', null],
      ],
    );
  });

  it('is not accepted by a login while passwords work: its link asks for one', async () => {
    const invitation = await invite('later@portal.test');
    await enforce(false);
    assert.equal(problemOf(await arriveAs('later@portal.test')), 'no_member');
    assert.equal((await service.call('GET', `/invitations/token/${tokenOf(invitation)}`)).body.ssoUrl, null);
  });

  it('lists who would be shut out: addresses outside the domains, and members who have not logged in through it', async () => {
    await enforce(false);
    await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email: 'guest@elsewhere.test' } });
    const { people } = (await service.call('GET', '/sso/enforcement/people', { as: 'owner' })).body;
    const seen = people.map(({ kind, email, reason }: Record<string, string>) => [kind, email, reason]);
    assert.deepEqual(seen[0], ['invited', 'guest@elsewhere.test', 'outside_domains']);
    assert.ok(
      seen.some(
        ([kind, email, reason]: string[]) =>
          kind === 'member' && email === service.world.people.moderator.email && reason === 'not_logged_in',
      ),
    );
    assert.ok(!seen.some(([, email]: string[]) => email === OWNER), 'the owner has logged in through it');
    assert.deepEqual((await service.call('GET', '/sso/enforcement/people', { as: 'rivalOwner' })).body.people, []);
  });
});

describe('a client secret', () => {
  const secretRow = () =>
    service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('ssoConnection')
        .select(['secretKeyId', 'clientSecretSealed'])
        .where('partnerId', '=', service.world.partnerId)
        .executeTakeFirstOrThrow(),
    );

  it('of an earlier version signs in before and after it is sealed again', async () => {
    await connect();
    const { db, dataKeys, world } = service;
    const { partnerId } = world;
    const { sealed, keyId } = sealAsBefore(TEST_RING, { use: 'sso-client-secret', partnerId, place: 'connection' }, provider.clientSecret);
    const set = { clientSecretSealed: sealed, secretKeyId: keyId };
    await db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set(set).where('partnerId', '=', partnerId).execute());
    await signIn();
    assert.deepEqual(await resealClientSecrets({ db, dataKeys }), { rewrapped: 1, failed: [] });
    assert.notEqual((await secretRow()).secretKeyId, keyId);
    await signIn();
    assert.deepEqual(await resealClientSecrets({ db, dataKeys }), { rewrapped: 0, failed: [] });
  });

  it('that has ended is replaced while enforced, by one that the provider accepts and by no other; the connection stays verified', async () => {
    await connect();
    await signIn();
    assert.equal((await enforce(true)).status, 200);
    const { partnerId } = service.world;
    const ended = sealAsBefore(TEST_RING, { use: 'sso-client-secret', partnerId, place: 'connection' }, 'a secret that has ended');
    const values = { clientSecretSealed: ended.sealed, secretKeyId: ended.keyId };
    await service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set(values).where('partnerId', '=', partnerId).execute());
    assert.equal(problemOf(await arrive()), 'client_refused');
    const replace = (clientSecret: string, as: 'owner' | 'rivalOwner' = 'owner') =>
      service.call('POST', '/sso/connection/secret', { as, body: { clientSecret } });
    const refused = await replace('another wrong secret');
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'not_accepted']);
    assert.equal(problemOf(await arrive()), 'client_refused', 'nothing was saved');
    const { status, body, text } = await replace(provider.clientSecret);
    assert.deepEqual([status, body.status, body.enforced], [200, 'verified', true]);
    assert.ok(!text.includes(provider.clientSecret));
    await signIn();
    assert.equal((await enforce(false)).status, 200);
    await service.db.asSystem('seed', (tx) =>
      tx.deleteFrom('ssoConnection').where('partnerId', '=', service.world.rivalPartnerId).execute(),
    );
    assert.equal((await replace(provider.clientSecret, 'rivalOwner')).body.code, 'invalid_state', 'without a connection');
    await service.assertRefused('POST', '/sso/connection/secret', { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden' });
  });

  it('is opened without a statement of its own at a sign-in', async () => {
    await connect();
    // Login and connection: BEGIN, scope, connection with its data key, COMMIT; then the login is stored: 4 more.
    assert.equal(await service.countStatements(() => service.call('GET', '/sso/acme/start')), 8);
  });

  it('whose data key was destroyed starts no sign-in', async () => {
    await connect();
    await signIn();
    await service.db.asSystem('seed', (tx) => destroyDataKey(tx, service.world.partnerId));
    assert.equal(problemOf(await arrive()), 'not_available');
    await assert.rejects(signIn());
  });
});
