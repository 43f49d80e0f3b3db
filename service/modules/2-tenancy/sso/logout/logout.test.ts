import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startOidcProvider, type TestOidc } from '@partner-portal/tests/harness/oidc-provider.ts';
import { type LogoutAsked, type SamlForgery, startSamlProvider, type TestSaml } from '@partner-portal/tests/harness/saml-provider.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser, type SsoBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from '../index.ts';

const BASE = 'http://portal.test';
const OWNER = 'owner@portal.test';
const ACS = `${BASE}/sso/acme/acs`;
const LOGOUT = `${BASE}/sso/acme/logout`;
let saml: TestSaml;
let oidc: TestOidc;
let withoutLogout: TestOidc;
/** Closed by the test that uses it. */
let away: TestOidc;
let service: TestService;
let browser: SsoBrowser;

before(async () => {
  saml = await startSamlProvider({ entityId: `${BASE}/sso/acme/metadata`, acsUrl: ACS, logoutUrl: LOGOUT });
  oidc = await startOidcProvider([`${BASE}/sso/acme/callback`], [LOGOUT]);
  withoutLogout = await startOidcProvider([`${BASE}/sso/acme/callback`]);
  away = await startOidcProvider([`${BASE}/sso/acme/callback`], [LOGOUT]);
  const allowedHosts = [saml.metadataUrl, oidc.issuer, withoutLogout.issuer, away.issuer].map((url) => new URL(url).host);
  const fetch = createSafeFetch({ allowedHosts });
  service = await startTestService({
    modules: (platform) => [
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock, deadlineMs: 600_000 }),
        isProduction: false,
      }),
    ],
  });
});
after(async () => {
  await service.close();
  await saml.close();
  await oidc.close();
  await withoutLogout.close();
  await away.close();
});
beforeEach(() => {
  browser = openBrowser(service);
  for (const one of [oidc, withoutLogout, away]) one.signIn({ email: OWNER, email_verified: true });
});

type Session = { authorization: string };
const oidcBody = ({ issuer, clientId, clientSecret }: TestOidc) => ({ protocol: 'oidc', issuer, clientId, clientSecret });
const samlBody = () => ({ protocol: 'saml', metadataUrl: saml.metadataUrl });
async function save(body: object): Promise<void> {
  const saved = await service.call('PUT', '/sso/connection', { as: 'owner', body: { emailDomains: ['portal.test'], ...body } });
  assert.equal(saved.status, 200, saved.text);
  const { url } = (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body;
  const back = await arrive(url);
  assert.equal(back.searchParams.get('test'), 'ok', back.href);
}
/** Follows a login to its end: through the pages of the OpenID Connect provider, or with a response of the SAML provider. */
async function arrive(start = `${BASE}/sso/acme/start`, forgery: SamlForgery = {}): Promise<URL> {
  const { next } = await browser.step(new URL(start));
  assert.ok(next);
  if (!next.searchParams.has('SAMLRequest')) return browser.go(next.href);
  return browser.post(ACS, await saml.respond(next, OWNER, forgery));
}
async function logIn(forgery: SamlForgery = {}): Promise<Session> {
  browser = openBrowser(service);
  const { status, body } = await browser.exchange((await arrive(undefined, forgery)).searchParams.get('code') ?? '');
  assert.equal(status, 200, JSON.stringify(body));
  return { authorization: `Bearer ${body.accessToken}` };
}
const addressFor = async (headers: Session): Promise<URL | null> => {
  const { status, body } = await service.call('GET', '/auth/logout-address', { headers });
  assert.equal(status, 200);
  return body.url === null ? null : new URL(body.url);
};
const logOut = async (headers: Session) => (await service.call('POST', '/auth/logout', { headers })).status;
const isOpen = async (headers: Session) => (await service.call('GET', '/auth/me', { headers })).status === 200;
const kept = () => service.db.asSystem('seed', (tx) => tx.selectFrom('ssoSession').selectAll().execute());
const metadata = async () => (await service.call('GET', '/sso/acme/metadata')).text;
/** A request of the provider arrives in some browser; answers where that is led. */
async function provide(asked: LogoutAsked, change: (url: URL) => URL = (url) => url): Promise<URL> {
  const { next } = await openBrowser(service).step(change(saml.askLogout(asked)));
  assert.ok(next);
  return next;
}
const problemOf = (url: URL) => url.searchParams.get('problem');

describe('logging out with OpenID Connect', () => {
  it('leads to the provider with the ID token, ends its session there and comes back to the login page', async () => {
    await save({ ...oidcBody(oidc), logsOut: true });
    const session = await logIn();
    const address = await addressFor(session);
    assert.ok(address);
    assert.ok(address.href.startsWith(oidc.issuer));
    const { id_token_hint: hint, ...asked } = Object.fromEntries(address.searchParams);
    assert.deepEqual([asked['client_id'], asked['post_logout_redirect_uri']], [oidc.clientId, LOGOUT]);
    assert.ok(asked['state'] && hint?.split('.').length === 3);
    assert.equal(await logOut(session), 204);
    assert.equal(await isOpen(session), false);

    // Its page asks for the log-out by a form.
    const page = await browser.step(address);
    assert.equal(page.status, 200, page.text);
    const [, action = ''] = /action="([^"]+)"/.exec(page.text) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    const back = await browser.post(action, { xsrf, logout: 'yes' });
    assert.deepEqual([back.origin + back.pathname, back.searchParams.get('state')], [LOGOUT, asked['state']]);
    assert.equal((await browser.go(back.href)).href, `${BASE}/login`);
  });

  it('ends here all the same where the provider offers none, or the connection does not ask for it', async () => {
    for (const body of [
      { ...oidcBody(withoutLogout), logsOut: true },
      { ...oidcBody(oidc), logsOut: false },
    ]) {
      await save(body);
      const { logsOut, providerLogsOut, logoutUrl } = (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
      assert.deepEqual([logsOut, providerLogsOut, logoutUrl], [body.logsOut, !body.logsOut, LOGOUT]);
      const session = await logIn();
      assert.equal(await addressFor(session), null);
      assert.deepEqual(await kept(), []);
      assert.equal(await logOut(session), 204);
      assert.equal(await isOpen(session), false);
    }
  });

  it('ends here while the provider is away, of which no one has to wait', async () => {
    await save({ ...oidcBody(away), logsOut: true });
    const session = await logIn();
    await away.close();
    assert.ok((await addressFor(session))?.href.startsWith(away.issuer));
    assert.equal(await logOut(session), 204);
    assert.equal(await isOpen(session), false);
  });

  it('has no address for a session that a password opened', async () => {
    await save({ ...oidcBody(oidc), logsOut: true });
    assert.deepEqual((await service.call('GET', '/auth/logout-address', { as: 'owner' })).body, { url: null });
    assert.deepEqual((await service.call('GET', '/auth/logout-address', { as: 'clientUser' })).body, { url: null });
  });
});

describe('what is kept for a log-out', () => {
  it('is sealed: neither the ID token nor a name is in the table', async () => {
    await save({ ...oidcBody(oidc), logsOut: true });
    const session = await logIn();
    const hint = (await addressFor(session))?.searchParams.get('id_token_hint') ?? '';
    const rows = await kept();
    assert.equal(rows.length, 1);
    for (const text of [hint, OWNER, oidc.issuer]) assert.ok(text !== '' && !JSON.stringify(rows).includes(text));
    for (const row of rows) assert.ok(!row.proofSealed.includes(Buffer.from('idToken')));
  });

  it('is gone with the session, however that ends, and with the connection', async () => {
    await save({ ...oidcBody(oidc), logsOut: true });
    const ends: [string, (session: Session) => Promise<unknown>][] = [
      ['log-out', logOut],
      [
        'removal from the list',
        async (headers) => {
          const { body } = await service.call('GET', '/auth/sessions', { headers });
          const { id } = body.find((one: { isCurrent: boolean }) => one.isCurrent);
          return service.call('DELETE', `/auth/sessions/${id}`, { headers });
        },
      ],
      ['removal of the connection', () => service.call('DELETE', '/sso/connection', { as: 'owner' })],
    ];
    for (const [what, end] of ends) {
      await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoSession').execute());
      const session = await logIn();
      assert.equal((await kept()).length, 1, what);
      await end(session);
      assert.deepEqual(await kept(), [], what);
    }
  });
});

describe('logging out with SAML', () => {
  it('is off by default: the metadata names no address, and requests of the provider end nothing', async () => {
    await save(samlBody());
    assert.ok(!(await metadata()).includes('SingleLogoutService'));
    const session = await logIn({ sessionIndex: '_a' });
    assert.equal(await addressFor(session), null);
    assert.equal(problemOf(await provide({ nameId: OWNER })), 'logout_refused');
    assert.equal(await isOpen(session), true);
  });

  it('leads to the provider with a signed request that names person and session', async () => {
    await save({ ...samlBody(), logsOut: true });
    assert.ok(
      (await metadata()).includes(
        `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${LOGOUT}"/>`,
      ),
    );
    const session = await logIn({ sessionIndex: '_a' });
    const address = await addressFor(session);
    assert.ok(address);
    assert.equal(address.origin + address.pathname, saml.entityId.replace('/entity', '/slo'));
    const read = await saml.readLogout(address, await metadata());
    assert.deepEqual([read['nameID'], read['sessionIndex'], read['issuer']], [OWNER, '_a', `${BASE}/sso/acme/metadata`]);
    assert.equal(await logOut(session), 204);
    // The response changes nothing, so anything of that name leads to the login page.
    assert.equal((await browser.go(`${LOGOUT}?SAMLResponse=AAAA&RelayState=x`)).href, `${BASE}/login`);
  });

  it('by a request of the provider ends the session it names, and answers with a signed response', async () => {
    await save({ ...samlBody(), logsOut: true });
    const [named, other] = [await logIn({ sessionIndex: '_a' }), await logIn({ sessionIndex: '_b' })];
    const back = await provide({ nameId: OWNER, sessionIndexes: ['_a'], id: '_asked', relayState: 'their state/+' });
    assert.equal(back.origin + back.pathname, saml.entityId.replace('/entity', '/slo'));
    assert.equal(back.searchParams.get('RelayState'), 'their state/+');
    const read = (await saml.readLogout(back, await metadata())) as { response: { inResponseTo: string } };
    assert.equal(read.response.inResponseTo, '_asked');
    assert.deepEqual([await isOpen(named), await isOpen(other)], [false, true]);

    await provide({ nameId: OWNER });
    assert.equal(await isOpen(other), false);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').selectAll().where('action', '=', 'session.ended_by_provider').execute(),
    );
    assert.deepEqual(
      entries.map((one) => one.targetLabel),
      [OWNER, OWNER],
    );
    assert.deepEqual(await kept(), []);
  });

  it('by a copy of a request ends no session that began later', async () => {
    await save({ ...samlBody(), logsOut: true });
    const asked = { nameId: OWNER, id: '_once' };
    const first = await logIn();
    await provide(asked);
    assert.equal(await isOpen(first), false);
    const later = await logIn();
    assert.equal((await provide(asked)).href, `${BASE}/login`);
    assert.equal(await isOpen(later), true);
  });

  it('by a request between login and session leaves no code to exchange', async () => {
    await save({ ...samlBody(), logsOut: true });
    const code = (await arrive()).searchParams.get('code') ?? '';
    await provide({ nameId: OWNER });
    assert.equal((await browser.exchange(code)).status, 401);
  });

  it('by any other request ends nothing', async () => {
    await save({ ...samlBody(), logsOut: true });
    const session = await logIn();
    const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
    const refused: Record<string, LogoutAsked> = {
      unsigned: { nameId: OWNER, unsigned: true },
      'by another key': { nameId: OWNER, key: 'other' },
      'with SHA-1': { nameId: OWNER, algorithm: 'rsa-sha1' },
      'of another provider': { nameId: OWNER, issuer: 'https://other.test' },
      'for another agency': { nameId: OWNER, destination: `${BASE}/sso/rival/logout` },
      'too old': { nameId: OWNER, issuedAt: minutes(-11) },
      'past its end': { nameId: OWNER, notOnOrAfter: minutes(-6) },
    };
    for (const [what, asked] of Object.entries(refused)) assert.equal(problemOf(await provide(asked)), 'logout_refused', what);
    const altered = (from: RegExp, to: string) => (url: URL) => new URL(url.href.replace(from, to));
    assert.equal(problemOf(await provide({ nameId: OWNER, relayState: 'a' }, altered(/RelayState=a/, 'RelayState=b'))), 'logout_refused');
    assert.equal(problemOf(await provide({ nameId: OWNER }, altered(/$/, '&SAMLRequest=AAAA'))), 'logout_refused');
    assert.equal(problemOf(await provide({ nameId: OWNER }, altered(/\/acme\//, '/rival/'))), 'logout_refused');
    assert.equal(await isOpen(session), true);
    await provide({ nameId: 'someone@portal.test' });
    assert.equal(await isOpen(session), true);
    await provide({ nameId: OWNER });
    assert.equal(await isOpen(session), false);
  });
});

describe('what is kept for a log-out, when all sessions of a person end', () => {
  it('is gone, too', async () => {
    await save({ ...oidcBody(oidc), logsOut: true });
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoSession').execute());
    const session = await logIn();
    assert.equal((await kept()).length, 1);
    // Last: the sessions of the other tests end with it.
    assert.equal((await service.call('POST', '/auth/logout-all', { headers: session })).status, 204);
    assert.deepEqual(await kept(), []);
  });
});
