import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Forgery, type HostileOidc, startHostileOidc } from '@partner-portal/tests/harness/hostile-oidc.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from './index.ts';

const BASE = 'http://portal.test';
let provider: HostileOidc;
let service: TestService;

before(async () => {
  provider = await startHostileOidc('portal', { email: 'owner@portal.test' });
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.issuer).host] });
  service = await startTestService({
    modules: (platform) => [
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock }),
        isProduction: false,
      }),
    ],
  });
  assert.equal((await save()).status, 200);
  const { url } = (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body;
  assert.equal((await openBrowser(service).go(url)).searchParams.get('test'), 'ok');
});
after(async () => {
  await service.close();
  await provider.close();
});

const save = () =>
  service.call('PUT', '/sso/connection', {
    as: 'owner',
    body: { protocol: 'oidc', issuer: provider.issuer, clientId: 'portal', clientSecret: 'secret', emailDomains: ['portal.test'] },
  });
async function arrive(forgery: Forgery): Promise<URL> {
  provider.forge(forgery);
  return openBrowser(service).go(`${BASE}/sso/acme/start`);
}

describe('an ID token', () => {
  it('that is valid signs its user in', async () => {
    assert.ok((await arrive({})).searchParams.get('code'));
  });

  const past = Math.floor(Date.now() / 1000) - 3_600;
  const attacks: Record<string, Forgery & { problem?: string }> = {
    'without a signature': { signing: 'none', problem: 'not_signed' },
    'signed by another key': { signing: 'other_key' },
    'altered after it was signed': { signing: 'altered' },
    'made for another client': { claims: { aud: 'another-client' } },
    'made for several clients, without naming us as the party': { claims: { aud: ['portal', 'other'], azp: 'other' } },
    'of another issuer': { claims: { iss: 'https://evil.test' } },
    'that has expired': { claims: { iat: past, exp: past + 60 }, problem: 'clock_differs' },
    'issued in the future': { claims: { nbf: Math.floor(Date.now() / 1000) + 3_600 }, problem: 'clock_differs' },
    'with the nonce of another login': { claims: { nonce: 'x'.repeat(43) } },
    'without a nonce': { claims: { nonce: undefined } },
    'without a subject': { claims: { sub: undefined } },
  };
  for (const [what, { problem = 'answer_not_valid', ...forgery }] of Object.entries(attacks)) {
    it(`${what} is refused`, async () => {
      const back = await arrive(forgery);
      assert.deepEqual([back.searchParams.get('problem'), back.searchParams.get('code')], [problem, null]);
    });
  }

  it('with an unverified address is refused, in any form of the claim', async () => {
    for (const claim of [false, 'false', 'true', 1, null, undefined]) {
      const back = await arrive({ claims: { email_verified: claim } });
      assert.equal(back.searchParams.get('problem'), 'email_not_verified', String(claim));
    }
    assert.ok((await arrive({ claims: { email_verified: true } })).searchParams.get('code'));
  });
});

describe('a provider', () => {
  it('without a web address to log in at is not used and not saved', async () => {
    for (const address of ['javascript:alert(1)//', 'data:text/html,hello', 'not an address', undefined]) {
      provider.publish({ authorization_endpoint: address });
      assert.equal((await arrive({})).searchParams.get('problem'), 'provider_unreachable', String(address));
      const saved = await save();
      assert.deepEqual([saved.status, saved.body.errors?.[0].field], [422, 'issuer'], String(address));
    }
    provider.publish({});
    assert.ok((await arrive({})).searchParams.get('code'));
  });
});
