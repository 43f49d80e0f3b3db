import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Forgery, type HostileOidc, startHostileOidc } from '@partner-portal/tests/harness/hostile-oidc.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from './index.ts';

const BASE = 'http://portal.test';
const OWNER = 'owner@portal.test';
const MINUTE_MS = 60_000;
let provider: HostileOidc;
let service: TestService;
let module: ReturnType<typeof sso>;
let aheadMs = 0;

before(async () => {
  provider = await startHostileOidc('portal', { email: OWNER });
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.issuer).host] });
  service = await startTestService({
    clock: { now: () => new Date(Date.now() + aheadMs) },
    modules: (platform) => {
      const oidc = createOidc({ fetch, clock: platform.clock, allowsHttp: () => true });
      const saml = createSaml({ fetch, compute: platform.compute, clock: platform.clock });
      module = sso({ ...platform, fetch, oidc, saml, isProduction: false });
      return [module];
    },
  });
});
after(async () => {
  await service.close();
  await provider.close();
});
beforeEach(async () => {
  provider.forge({});
  provider.publish({});
  const body = { protocol: 'oidc', issuer: provider.issuer, clientId: 'portal', clientSecret: 'secret', emailDomains: ['portal.test'] };
  assert.equal((await service.call('PUT', '/sso/connection', { as: 'owner', body })).status, 200);
});

const read = async () => (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
const startTest = async (): Promise<string> => (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body.url;
const failedLogins = async (as: 'owner' | 'rivalOwner' = 'owner') => (await service.call('GET', '/sso/failed-logins', { as })).body.items;
async function logIn(forgery: Forgery) {
  provider.forge(forgery);
  return openBrowser(service).go(`${BASE}/sso/acme/start`);
}
async function verify(): Promise<void> {
  assert.equal((await openBrowser(service).go(await startTest())).searchParams.get('test'), 'ok');
}

describe('a test login', () => {
  it('is on record from its start to its end', async () => {
    assert.equal((await read()).test, null);
    const url = await startTest();
    const running = (await read()).test;
    assert.deepEqual([running.status, running.endedAt], ['in_progress', null]);
    await openBrowser(service).go(url);
    const ended = await read();
    assert.deepEqual([ended.test.status, ended.lastTest.ok], ['succeeded', true]);
    assert.ok(ended.test.endedAt >= ended.test.startedAt);
  });

  it('that is refused has failed, with the reason', async () => {
    provider.forge({ claims: { email: 'stranger@portal.test' } });
    await openBrowser(service).go(await startTest());
    const { test, lastTest } = await read();
    assert.deepEqual([test.status, lastTest.problem, lastTest.email], ['failed', 'no_member', 'stranger@portal.test']);
  });

  it('whose provider does not answer has failed, with what it answered', async () => {
    const url = await startTest();
    provider.publish({ issuer: 'https://another.test' });
    await openBrowser(service).go(url);
    const { test, lastTest } = await read();
    assert.deepEqual([test.status, lastTest.problem], ['failed', 'provider_unreachable']);
    assert.match(lastTest.detail, /calls itself https:\/\/another\.test/);
  });

  it('of which nobody comes back times out after five minutes, and counts if somebody does later', async () => {
    const url = await startTest();
    aheadMs = 4 * MINUTE_MS;
    await module.timeOutTests();
    assert.equal((await read()).test.status, 'in_progress');
    aheadMs = 6 * MINUTE_MS;
    await module.timeOutTests();
    const { test } = await read();
    aheadMs = 0;
    assert.equal(test.status, 'timed_out');
    await openBrowser(service).go(url);
    assert.equal((await read()).test.status, 'succeeded');
  });

  it('of earlier values is not shown', async () => {
    await startTest();
    const body = { protocol: 'oidc', issuer: provider.issuer, clientId: 'portal', clientSecret: 'secret', emailDomains: ['portal.test'] };
    await service.call('PUT', '/sso/connection', { as: 'owner', body });
    assert.equal((await read()).test, null);
  });
});

describe('a login that failed', () => {
  it('is listed for admins with what arrived, newest first', async () => {
    await verify();
    await logIn({ claims: { email: 'stranger@portal.test' } });
    await logIn({ claims: { email: undefined, email_verified: undefined } });
    await logIn({ signing: 'other_key' });
    const [third, second, first] = await failedLogins();
    assert.deepEqual([first.problem, first.email, first.claims.email], ['no_member', 'stranger@portal.test', 'stranger@portal.test']);
    assert.deepEqual([second.problem, second.email], ['email_missing', null]);
    assert.equal(second.claims.sub, OWNER);
    assert.equal(third.problem, 'answer_not_valid');
    assert.ok(third.detail && third.signatures.length === 1);
  });

  it('is listed also when the provider could not be reached', async () => {
    await verify();
    provider.publish({ issuer: 'https://another.test' });
    await logIn({});
    const [newest] = await failedLogins();
    assert.deepEqual([newest.problem, newest.email], ['provider_unreachable', null]);
    assert.match(newest.detail, /calls itself/);
  });

  it('is seen by moderators too, and by no client user or other agency', async () => {
    await verify();
    await logIn({ claims: { email: 'stranger@portal.test' } });
    await service.assertRefused('GET', '/sso/failed-logins', { clientUser: 'role_forbidden' });
    assert.deepEqual((await service.call('GET', '/sso/failed-logins', { as: 'moderator' })).body.items, await failedLogins());
    assert.deepEqual(await failedLogins('rivalOwner'), []);
    assert.ok((await failedLogins()).length > 0);
  });

  it('is among the last fifty, and gone with the connection', async () => {
    await verify();
    for (let count = 0; count < 52; count += 1) await logIn({ claims: { email: `stranger-${count}@portal.test` } });
    const items = await failedLogins();
    assert.deepEqual([items.length, items[0].email, items[49].email], [50, 'stranger-51@portal.test', 'stranger-2@portal.test']);
    assert.equal((await service.call('DELETE', '/sso/connection', { as: 'owner' })).status, 204);
    assert.deepEqual(await failedLogins(), []);
  });

  it('that succeeded is not listed', async () => {
    await verify();
    assert.ok((await logIn({})).searchParams.get('code'));
    assert.deepEqual(await failedLogins(), []);
  });
});

describe('the public routes of a login', () => {
  const opened: [what: string, method: 'GET' | 'POST', path: string, body?: string | undefined][] = [
    ['a slug of 70 letters', 'GET', `/sso/${'a'.repeat(70)}/start`],
    ['a slug of 70 letters', 'GET', `/sso/${'a'.repeat(70)}/callback?state=x`],
    ['a slug of 70 letters', 'POST', `/sso/${'a'.repeat(70)}/acs`, 'SAMLResponse=AAAA'],
    ['a slug of 70 letters', 'GET', `/sso/${'a'.repeat(70)}/metadata`],
    ['a slug that the router refuses', 'GET', `/sso/${'a'.repeat(300)}/start`],
    ['a slug that the router refuses', 'GET', `/sso/${'a'.repeat(300)}/callback?state=x`],
    ['a slug that the router refuses', 'GET', `/sso/${'a'.repeat(300)}/logout`],
    ['a slug that the router refuses', 'GET', `/sso/${'a'.repeat(300)}/metadata`],
    ['a slug that the router refuses', 'POST', `/sso/${'a'.repeat(300)}/acs`, 'SAMLResponse=AAAA'],
    ['an address that cannot be decoded', 'GET', '/sso/%zz/start'],
    ['a body that is too large', 'POST', '/sso/acme/acs', `SAMLResponse=${'A'.repeat(2_000_000)}`],
    ['a body of another type', 'POST', '/sso/acme/acs', undefined],
  ];
  for (const [what, method, path, rawBody] of opened) {
    it(`answer ${what} with a page: ${method} ${path.slice(0, 12)}…${path.slice(-9)}`, async () => {
      const headers = { 'content-type': rawBody === undefined ? 'text/plain' : 'application/x-www-form-urlencoded' };
      const reply = await service.call(method, path, method === 'POST' ? { rawBody: rawBody ?? 'x', headers } : {});
      assert.equal(reply.status, 302, reply.text);
      const url = new URL(String(reply.headers['location']));
      assert.deepEqual([url.origin, url.pathname, url.searchParams.has('problem')], [BASE, '/login/callback', true]);
    });
  }

  it('answer a browser at its rate limit with a page, and a program with 429', async () => {
    const counted = await startTestService({
      countCallers: true,
      modules: (platform) => {
        const fetch = createSafeFetch({ allowedHosts: [] });
        const oidc = createOidc({ fetch, clock: platform.clock, allowsHttp: () => true });
        const saml = createSaml({ fetch, compute: platform.compute, clock: platform.clock });
        return [sso({ ...platform, fetch, oidc, saml, isProduction: false })];
      },
    });
    try {
      const start = () => counted.call('GET', '/sso/nobody/start');
      let reply = await start();
      for (let count = 0; count < 200 && !String(reply.headers['location']).endsWith('=rate_limited'); count += 1) reply = await start();
      assert.deepEqual([reply.status, reply.headers['location']], [302, `${BASE}/login/callback?problem=rate_limited`]);
      assert.ok(Number(reply.headers['retry-after']) > 0);
      for (const path of ['metadata', 'callback', 'logout'])
        assert.equal(
          (await counted.call('GET', `/sso/nobody/${path}`)).headers['location'],
          `${BASE}/login/callback?problem=rate_limited`,
          path,
        );
      assert.equal((await counted.call('GET', '/sso/nobody/brand')).status, 429);
      // A route that is not opened in a browser keeps its answer, also when the router refuses the request.
      assert.equal((await service.call('GET', `/sso/${'a'.repeat(300)}/brand`)).headers['location'], undefined);
    } finally {
      await counted.close();
    }
  });

  it('take the slug in any case', async () => {
    await verify();
    provider.forge({});
    const browser = openBrowser(service);
    assert.ok((await browser.go(`${BASE}/sso/Acme/start`)).searchParams.get('code'));
    assert.equal(
      (await service.call('GET', '/sso/ACME/brand')).body.brand.name,
      (await service.call('GET', '/sso/acme/brand')).body.brand.name,
    );
    assert.equal((await service.call('GET', '/sso/ACME/metadata')).text, (await service.call('GET', '/sso/acme/metadata')).text);
  });
});
