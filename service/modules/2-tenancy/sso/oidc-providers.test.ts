import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ClientProof, type Forgery, type HostileOidc, startHostileOidc } from '@partner-portal/tests/harness/hostile-oidc.ts';
import { startTestService, type TestPlatform, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from './index.ts';

const OWNER = 'owner@portal.test';
/** Both ways of sending it have to encode this. */
const SECRET = 'a~secret+with/every %sign:of the%20tests';
let provider: HostileOidc;
let service: TestService;

before(async () => {
  provider = await startHostileOidc('portal', { email: OWNER }, SECRET);
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.issuer).host] });
  service = await startTestService({
    modules: (platform) => [ssoWith(platform, fetch)],
  });
  await save();
});
after(async () => {
  await service.close();
  await provider.close();
});
function ssoWith(platform: TestPlatform, fetch: SafeFetch) {
  const oidc = createOidc({ fetch, clock: platform.clock, allowsHttp: () => true });
  return sso({
    ...platform,
    fetch,
    oidc,
    saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock }),
    isProduction: false,
  });
}
beforeEach(() => {
  provider.forge({});
  provider.publish({});
  provider.accept(null);
  provider.breakToken(null);
});

async function save(more: object = {}): Promise<void> {
  const body = {
    protocol: 'oidc',
    issuer: provider.issuer,
    clientId: 'portal',
    clientSecret: SECRET,
    emailDomains: ['portal.test'],
    ...more,
  };
  const saved = await service.call('PUT', '/sso/connection', { as: 'owner', body });
  assert.equal(saved.status, 200, saved.text);
}
const read = async () => (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
/** Runs a test login in a new browser; returns its end, `ok` or a problem, and what the settings page shows. */
async function tryLogin(forgery: Forgery = {}) {
  provider.forge(forgery);
  const { url } = (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body;
  const back = await openBrowser(service).go(url);
  const { lastTest } = await read();
  const end: string = back.searchParams.get('problem') ?? back.searchParams.get('test') ?? back.href;
  return { end, back, test: lastTest };
}

describe('an OpenID Connect provider that', () => {
  const absent = { email: undefined, email_verified: undefined };
  type Case = { what: string; forgery: Forgery; end: string; opts?: { vouchesForEmails: boolean }; detail?: RegExp };
  const vouched = { vouchesForEmails: true };
  const cases: Case[] = [
    { what: 'has both claims in the ID token', forgery: {}, end: 'ok' },
    { what: 'has both in userinfo', forgery: { claims: absent, userinfo: { email: OWNER, email_verified: true } }, end: 'ok' },
    {
      what: 'says in userinfo that the address of the ID token is verified',
      forgery: { claims: { email_verified: undefined }, userinfo: { email: OWNER, email_verified: true } },
      end: 'ok',
    },
    {
      what: 'says so in userinfo without the address',
      forgery: { claims: { email_verified: undefined }, userinfo: { email_verified: true } },
      end: 'email_not_verified',
    },
    {
      what: 'says in userinfo that another address is verified',
      forgery: { claims: { email_verified: undefined }, userinfo: { email: 'o@other.test', email_verified: true } },
      end: 'email_not_verified',
    },
    {
      what: 'has userinfo of another person',
      forgery: { claims: absent, userinfo: { sub: 'another', email: OWNER, email_verified: true } },
      end: 'answer_not_valid',
      detail: /another person/,
    },
    { what: 'has no address anywhere', forgery: { claims: absent }, end: 'email_missing' },
    {
      what: 'fails to answer userinfo',
      forgery: { claims: absent, userinfo: 500 },
      end: 'answer_not_valid',
      detail: /Userinfo could not be read/,
    },
    {
      what: 'fails to answer userinfo, having the address in the ID token',
      forgery: { claims: { email_verified: undefined }, userinfo: 500 },
      end: 'email_not_verified',
      detail: /Neither the ID token nor userinfo/,
    },
    {
      what: 'says that the address is not verified',
      forgery: { claims: { email_verified: false } },
      end: 'email_not_verified',
      detail: /says that the address is not verified/,
    },
    {
      what: 'says so, though the agency vouches for it',
      forgery: { claims: { email_verified: false } },
      opts: vouched,
      end: 'email_not_verified',
    },
    { what: 'says nothing about verification', forgery: { claims: { email_verified: undefined } }, end: 'email_not_verified' },
    { what: 'says nothing, and the agency vouches for it', forgery: { claims: { email_verified: undefined } }, opts: vouched, end: 'ok' },
    { what: 'says "true" as text', forgery: { claims: { email_verified: 'true' } }, end: 'email_not_verified', detail: /the text "true"/ },
    {
      what: 'says "true" as text, and the agency vouches for it',
      forgery: { claims: { email_verified: 'true' } },
      opts: vouched,
      end: 'ok',
    },
    {
      what: 'says "false" as text, though the agency vouches for it',
      forgery: { claims: { email_verified: 'false' } },
      opts: vouched,
      end: 'email_not_verified',
    },
    { what: 'sends the Kelvin sign for a k', forgery: { claims: { email: '\u212Aate@portal.test' } }, end: 'email_missing' },
    { what: 'signs with ES256', forgery: { signing: 'es256' }, end: 'ok' },
    { what: 'signs with Ed25519', forgery: { signing: 'ed25519' }, end: 'ok' },
    { what: 'signs with HS256', forgery: { signing: 'hs256' }, end: 'ok' },
    { what: 'signs with HS512', forgery: { signing: 'hs512' }, end: 'ok' },
    {
      what: 'signs with HS256 and another secret',
      forgery: { signing: 'other_secret' },
      end: 'key_unknown',
      detail: /Paste the client secret again/,
    },
    { what: 'names no key', forgery: { namesNoKey: true }, end: 'ok' },
    { what: 'has a clock 4 minutes ahead', forgery: { skewSeconds: 240 }, end: 'ok' },
    { what: 'has a clock 9 minutes behind', forgery: { skewSeconds: -540 }, end: 'ok' },
    {
      what: 'has a clock 11 minutes behind',
      forgery: { skewSeconds: -660 },
      end: 'clock_differs',
      detail: /is valid until \d{4}-.* the clock of the portal says \d{4}-/,
    },
    {
      what: 'refuses the person',
      forgery: { error: { error: 'access_denied', error_description: 'You are not assigned.' } },
      end: 'provider_refused',
    },
  ];
  for (const { what, forgery, end, opts, detail } of cases) {
    it(`${what}: ${end === 'ok' ? 'signs its people in' : end}`, async () => {
      if (opts) await save(opts);
      const { end: ended, test } = await tryLogin(forgery);
      if (opts) await save();
      assert.equal(ended, end, JSON.stringify(test));
      if (detail) assert.match(test.detail, detail);
      if (end === 'ok') assert.deepEqual([test.ok, test.email, test.signatures[0].verdict], [true, OWNER, 'verified']);
    });
  }

  const methods: [listed: string[] | undefined, accepts: ClientProof, end: string][] = [
    [undefined, 'basic', 'ok'],
    [['client_secret_basic'], 'basic', 'ok'],
    [['client_secret_post'], 'post', 'ok'],
    [['client_secret_basic', 'client_secret_post'], 'post', 'ok'],
    [['client_secret_post', 'client_secret_basic'], 'basic', 'ok'],
    [['private_key_jwt', 'client_secret_post'], 'post', 'ok'],
    [undefined, 'raw', 'ok'],
    [['client_secret_basic', 'client_secret_post'], 'raw', 'ok'],
    [['client_secret_basic', 'client_secret_post', 'client_secret_jwt'], 'jwt', 'ok'],
    [['client_secret_jwt', 'private_key_jwt'], 'jwt', 'ok'],
    [undefined, 'post', 'client_refused'],
    [['private_key_jwt'], 'basic', 'client_method_refused'],
  ];
  for (const [listed, accepts, end] of methods) {
    it(`lists ${listed?.join(' and ') ?? 'no method'} and takes the secret by ${accepts}: ${end === 'ok' ? 'signs its people in' : end}`, async () => {
      provider.publish({ token_endpoint_auth_methods_supported: listed });
      provider.accept(accepts);
      assert.equal((await tryLogin()).end, end);
    });
  }

  it('lists no way to send a secret: the failure names what it lists, and no other secret', async () => {
    provider.publish({ token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'] });
    const { test } = await tryLogin();
    assert.match(test.detail, /takes no client secret; it lists private_key_jwt, tls_client_auth\. Allow client_secret_basic/);
  });

  it('answers the token request with an error after it accepted the secret: that is the failure, with address and status', async () => {
    provider.publish({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] });
    provider.accept('post');
    for (const body of ['{"error":"server_error","error_description":"Out of memory."}', '<html>Out of memory.</html>', '']) {
      provider.breakToken({ status: 500, body });
      const { end, test } = await tryLogin();
      assert.deepEqual([end, test.detail], ['provider_unreachable', `${provider.issuer}/token answered 500.`]);
      assert.equal(test.providerSaid, body.startsWith('{') ? 'server_error: Out of memory.' : null);
    }
  });

  it('is asked by a test login to choose the account, by a prompt that it lists, and by no other login', async () => {
    const promptOf = async (path: string): Promise<string | null> => {
      const { next } = await openBrowser(service).step(new URL(path));
      return new URL(String(next)).searchParams.get('prompt');
    };
    const ofTest = async () => promptOf((await service.call('POST', '/sso/connection/test', { as: 'owner' })).body.url);
    for (const [listed, prompt] of [
      [undefined, 'login'],
      [['none', 'login', 'select_account'], 'select_account'],
      [['none', 'login'], 'login'],
      [['none'], null],
    ] as const) {
      provider.publish({ prompt_values_supported: listed });
      assert.equal(await ofTest(), prompt, String(listed));
    }
    provider.publish({});
    await tryLogin();
    assert.equal(await promptOf('http://portal.test/sso/acme/start'), null);
  });

  it('spends the code at the first refusal: the refusal is the failure', async () => {
    provider.publish({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] });
    provider.accept('post');
    provider.breakToken({ status: 400, body: '{"error":"invalid_grant","error_description":"The code was used."}' });
    assert.equal((await tryLogin()).end, 'client_refused');
  });

  it('refuses the client with a challenge: its words are shown', async () => {
    await save({ clientSecret: 'wrong' });
    const { end, test } = await tryLogin();
    await save();
    assert.deepEqual([end, test.providerSaid], ['client_refused', 'invalid_client: The client could not be authenticated.']);
  });

  it('shows an error page in place of its configuration: the failure names address and status', async () => {
    const missing = `${provider.issuer}/nothing`;
    const refused = await service.call('PUT', '/sso/connection', {
      as: 'owner',
      body: { protocol: 'oidc', issuer: missing, clientId: 'portal', clientSecret: SECRET, emailDomains: ['portal.test'] },
    });
    assert.match(refused.body.errors[0].message, new RegExp(`${missing}/.well-known/openid-configuration answered 40\\d`));
  });

  it('sends email_verified as another value: the failure quotes it', async () => {
    for (const [claim, quoted] of [
      ['1', 'the text "1"'],
      [1, 'the value 1'],
      ['yes', 'the text "yes"'],
    ]) {
      const { end, test } = await tryLogin({ claims: { email_verified: claim } });
      assert.deepEqual(
        [end, test.detail],
        ['email_not_verified', `The claim email_verified is ${String(quoted)} instead of the value true.`],
      );
    }
  });

  it('is asked for userinfo only where the ID token lacks something', async () => {
    const before = provider.userinfoCalls();
    await tryLogin();
    assert.equal(provider.userinfoCalls(), before);
    await tryLogin({ claims: absent, userinfo: { email: OWNER, email_verified: true } });
    assert.equal(provider.userinfoCalls(), before + 1);
  });

  for (const keepsOld of [true, false]) {
    it(`changes its key ${keepsOld ? 'with' : 'without'} overlap: signs its people in at once`, async () => {
      assert.equal((await tryLogin()).end, 'ok');
      provider.rotate({ keepsOld });
      assert.equal((await tryLogin()).end, 'ok');
    });
  }

  it('signs with an algorithm it does not announce: algorithm_not_accepted', async () => {
    provider.publish({ id_token_signing_alg_values_supported: ['RS256'] });
    const { end, test } = await tryLogin({ signing: 'es256' });
    assert.equal(end, 'algorithm_not_accepted');
    assert.match(test.detail, /signed with ES256, which the provider does not announce/);
  });

  it('gets the wrong client secret: client_refused, in its own words too', async () => {
    await save({ clientSecret: 'wrong' });
    provider.publish({ token_endpoint_auth_methods_supported: ['client_secret_post'] });
    const { end, test } = await tryLogin();
    await save();
    assert.deepEqual([end, test.detail], ['client_refused', 'The provider did not accept the client ID and the client secret.']);
    assert.equal(test.providerSaid, 'invalid_client: The client could not be authenticated.');
  });

  it('calls itself by another issuer: the failure names it', async () => {
    provider.publish({ issuer: `${provider.issuer}/realm` });
    const body = { protocol: 'oidc', issuer: provider.issuer, clientId: 'portal', clientSecret: SECRET, emailDomains: ['portal.test'] };
    const refused = await service.call('PUT', '/sso/connection', { as: 'owner', body });
    assert.equal(refused.status, 422);
    assert.ok(refused.body.errors[0].message.includes(`calls itself ${provider.issuer}/realm: enter exactly this`), refused.text);
  });
});

describe('a client whose id and secret have marks', () => {
  const clientId = 'acme-portal.(main)!';
  const clientSecret = "a-secret_of~the.tests*(it's)!";
  let strict: HostileOidc;
  let marked: TestService;

  before(async () => {
    strict = await startHostileOidc(clientId, { email: OWNER }, clientSecret);
    const fetch = createSafeFetch({ allowedHosts: [new URL(strict.issuer).host] });
    marked = await startTestService({ modules: (platform) => [ssoWith(platform, fetch)] });
    const body = { protocol: 'oidc', issuer: strict.issuer, clientId, clientSecret, emailDomains: ['portal.test'] };
    assert.equal((await marked.call('PUT', '/sso/connection', { as: 'owner', body })).status, 200);
  });
  after(async () => {
    await marked.close();
    await strict.close();
  });

  for (const accepts of ['basic', 'raw'] as const) {
    it(`is accepted at once by a provider that ${accepts === 'raw' ? 'does not decode' : 'decodes'} what Basic sends`, async () => {
      strict.accept(accepts);
      strict.proofs();
      const { url } = (await marked.call('POST', '/sso/connection/test', { as: 'owner' })).body;
      assert.equal((await openBrowser(marked).go(url)).searchParams.get('test'), 'ok');
      assert.deepEqual(strict.proofs(), [accepts]);
    });
  }
});

describe('what an OpenID Connect provider writes', () => {
  it('is shown as its words, also when it loses the state', async () => {
    const error = { error: 'access_denied', error_description: 'You are not assigned.' };
    const { test, back } = await tryLogin({ error });
    assert.deepEqual([test.detail, test.providerSaid], ['The provider refused the login.', 'access_denied: You are not assigned.']);
    assert.equal(new URLSearchParams(back.hash.slice(1)).get('said'), 'access_denied: You are not assigned.');
    const lost = await tryLogin({ error: { ...error, hasState: false } });
    assert.equal(lost.end, 'provider_refused');
  });

  it('is shown by the test login as it was received, and nothing else', async () => {
    const { test } = await tryLogin({ claims: { email_verified: undefined, groups: ['a'] } });
    assert.equal('email_verified' in test.claims, false, 'no value is invented');
    assert.deepEqual([test.claims.email, test.claims.groups], [OWNER, '["a"]']);
    assert.deepEqual([test.signatures[0].over, test.signatures[0].algorithm], ['id_token', 'RS256']);
    assert.ok(test.signatures[0].key && test.providerTime);
    assert.equal((await tryLogin({ claims: { email_verified: false } })).test.claims.email_verified, 'false');
  });
});

describe('the redirect address', () => {
  it('answers every request with a page for people', async () => {
    const cases: [query: string, problem: string][] = [
      ['', 'answer_not_readable'],
      ['?code=x', 'answer_not_readable'],
      [`?code=x&state=${'s'.repeat(600)}`, 'answer_not_readable'],
      ['?state=a&state=b', 'answer_not_readable'],
      ['?state=unknown&code=x', 'expired'],
      ['?error=access_denied', 'provider_refused'],
    ];
    for (const [query, problem] of cases) {
      const reply = await service.call('GET', `/sso/acme/callback${query}`);
      assert.equal(reply.status, 302, query);
      assert.equal(new URL(String(reply.headers['location'])).searchParams.get('problem'), problem, query);
    }
  });
});

describe('an opt-in of the agency', () => {
  it('to addresses that are not verified is off by default and on record with its admin', async () => {
    await save();
    assert.equal((await read()).vouchesForEmails, false);
    await save({ vouchesForEmails: true });
    assert.equal((await read()).vouchesForEmails, true);
    const [entry] = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('changes').where('action', '=', 'sso.connection_saved').orderBy('id', 'desc').limit(1).execute(),
    );
    assert.deepEqual((entry?.changes as Record<string, unknown> | null)?.['vouchesForEmails'], [false, true]);
    await save();
  });
});
