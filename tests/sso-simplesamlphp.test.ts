import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { whyNotTried } from './harness/debian-provider.ts';
import { SIMPLESAML_PACKAGES, hasSimpleSaml, type SimpleSaml, startSimpleSaml } from './harness/simplesamlphp.ts';
import { SSO_BASE, type SsoService, startSsoService } from './harness/sso-service.ts';

const OWNER = 'owner@portal.test';
const skip = whyNotTried('SimpleSAMLphp', SIMPLESAML_PACKAGES, hasSimpleSaml);

describe('SimpleSAMLphp as Debian ships it', { skip }, () => {
  let provider: SimpleSaml;
  let portal: SsoService;

  before(async () => {
    provider = await startSimpleSaml({ mail: OWNER });
    portal = await startSsoService(provider.metadataUrl);
  });
  after(async () => {
    await portal?.close();
    await provider?.close();
  });

  const save = (options: object = {}) => portal.save({ protocol: 'saml', metadataUrl: provider.metadataUrl, ...options });
  const tryLogin = () => portal.tryLogin();
  /** Adds our metadata to the provider, as it is published. */
  const importOurs = async (changes?: string) => provider.add((await portal.service.call('GET', '/sso/acme/metadata')).text, changes);

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

  it('logs people out of itself at our request, and out of the portal at its own', async () => {
    await save({ logsOut: true });
    await importOurs(`'sign.logout' => true, 'validate.logout' => true`);
    assert.equal((await tryLogin()).end, 'ok');
    const isOpen = async (headers: object) => (await portal.service.call('GET', '/auth/me', { headers: { ...headers } })).status === 200;

    const first = await portal.logIn();
    const { url } = (await portal.service.call('GET', '/auth/logout-address', { headers: first.headers })).body;
    assert.equal((await portal.service.call('POST', '/auth/logout', { headers: first.headers })).status, 204);
    const way = await portal.follow(first.browser, new URL(url));
    const answered = way.find((one) => one.searchParams.has('SAMLResponse'));
    const xml = inflateRawSync(Buffer.from(answered?.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
    assert.match(xml, /LogoutResponse.*status:Success/s);
    assert.equal(way.at(-1)?.href, `${SSO_BASE}/login`);

    const second = await portal.logIn();
    const ended = new URL('/saml2/idp/initSLO.php', provider.metadataUrl);
    ended.searchParams.set('RelayState', `${SSO_BASE}/login`);
    assert.ok(await isOpen(second.headers));
    const back = await portal.follow(second.browser, ended);
    assert.ok(
      back.some((one) => one.pathname === '/sso/acme/logout' && one.searchParams.has('SAMLRequest')),
      back.join(' → '),
    );
    assert.equal(await isOpen(second.headers), false);
  });

  it('with SHA-1 is refused by a sentence that names it', async () => {
    await importOurs(`'signature.algorithm' => 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'`);
    const { end, test } = await tryLogin();
    assert.equal(end, 'algorithm_not_accepted');
    assert.match(test.detail, /rsa-sha1.*choose SHA-256/);
  });
});
