import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOidc } from '@partner-portal/service/adapters/oidc.ts';
import { createSaml } from '@partner-portal/service/adapters/saml.ts';
import { sso } from '@partner-portal/service/modules/2-tenancy/sso/index.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { isFull } from './harness/full.ts';
import { startTestService, type TestService } from './harness/service.ts';
import { hasSimpleSaml, type SimpleSaml, startSimpleSaml } from './harness/simplesamlphp.ts';
import { openBrowser } from './harness/sso-browser.ts';

const BASE = 'http://portal.test';
const OWNER = 'owner@portal.test';
const skip = !isFull
  ? 'SimpleSAMLphp was NOT tried: run with TEST_FULL=true'
  : !hasSimpleSaml &&
    'SimpleSAMLphp was NOT tried: apt-get install --no-install-recommends simplesamlphp php-cli php-xml php-mbstring php-curl';

// Seen also where skipped tests are only counted.
if (isFull && typeof skip === 'string') process.stderr.write(`${skip}\n`);

describe('SimpleSAMLphp as Debian ships it', { skip }, () => {
  let provider: SimpleSaml;
  let service: TestService;

  before(async () => {
    provider = await startSimpleSaml({ mail: OWNER });
    const fetch = createSafeFetch({ allowedHosts: [new URL(provider.metadataUrl).host] });
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
    await service?.close();
    await provider?.close();
  });

  async function save(options: object = {}): Promise<void> {
    const body = { protocol: 'saml', metadataUrl: provider.metadataUrl, emailDomains: ['portal.test'], ...options };
    const saved = await service.call('PUT', '/sso/connection', { as: 'owner', body });
    assert.equal(saved.status, 200, saved.text);
  }
  /** Adds our metadata to the provider, as it is published. */
  const importOurs = async (changes?: string) => provider.add((await service.call('GET', '/sso/acme/metadata')).text, changes);
  /** A test login through its real pages; returns its end and what was received. */
  async function tryLogin() {
    const browser = openBrowser(service);
    let url = new URL((await service.call('POST', '/sso/connection/test', { as: 'owner' })).body.url);
    for (let count = 0; count < 15; count += 1) {
      const { next, text } = await browser.step(url);
      if (next) {
        url = next;
        continue;
      }
      const field = (name: string): string | undefined => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
      const response = field('SAMLResponse');
      assert.ok(response, `${url.href} shows no response: ${text.slice(0, 500)}`);
      const back = await browser.post(`${BASE}/sso/acme/acs`, { SAMLResponse: response, RelayState: field('RelayState') ?? '' });
      const { lastTest } = (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
      return { end: back.searchParams.get('problem') ?? back.searchParams.get('test'), test: lastTest };
    }
    return assert.fail('too many redirects');
  }

  it('signs its people in with its own defaults and our metadata: transient name id, mail, response and assertion signed', async () => {
    await save();
    await importOurs();
    const { end, test } = await tryLogin();
    assert.equal(end, 'ok', JSON.stringify(test));
    assert.equal(test.email, OWNER);
    assert.match(test.signatures[0].algorithm, /sha256/);
  });

  it('signs its people in when it encrypts assertions with our key, and checks our requests', async () => {
    await save({ signsRequests: true });
    await importOurs(`'assertion.encryption' => true, 'validate.authnrequest' => true`);
    const { end, test } = await tryLogin();
    assert.deepEqual([end, test.isEncrypted], ['ok', true], JSON.stringify(test));
  });

  it('signs its people in when it signs the assertion only, or the response only', async () => {
    await save();
    for (const [assertion, response] of [
      [true, false],
      [false, true],
    ]) {
      await importOurs(`'saml20.sign.assertion' => ${String(assertion)}, 'saml20.sign.response' => ${String(response)}`);
      const { end, test } = await tryLogin();
      assert.equal(end, 'ok', JSON.stringify(test));
    }
  });

  it('with SHA-1 is refused by a sentence that names it', async () => {
    await importOurs(`'signature.algorithm' => 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'`);
    const { end, test } = await tryLogin();
    assert.equal(end, 'algorithm_not_accepted');
    assert.match(test.detail, /rsa-sha1.*choose SHA-256/);
  });
});
