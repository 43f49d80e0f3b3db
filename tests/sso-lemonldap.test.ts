import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { whyNotTried } from './harness/debian-provider.ts';
import { hasLemonLdap, type LemonLdap, LEMONLDAP_PACKAGES, startLemonLdap } from './harness/lemonldap.ts';
import { SSO_BASE, type SsoService, startSsoService } from './harness/sso-service.ts';

const OWNER = 'owner@portal.test';
const CLIENT = { clientId: 'acme-portal', clientSecret: 'a-secret_of~the.tests' };
const skip = whyNotTried('LemonLDAP::NG', LEMONLDAP_PACKAGES, hasLemonLdap);

describe('LemonLDAP::NG as Debian ships it', { skip }, () => {
  let provider: LemonLdap;
  let portal: SsoService;

  before(async () => {
    provider = await startLemonLdap({ ...CLIENT, redirectUri: `${SSO_BASE}/sso/acme/callback` }, { mail: OWNER });
    portal = await startSsoService(provider.issuer);
  });
  after(async () => {
    await portal?.close();
    await provider?.close();
  });

  const saveOidc = (clientSecret = CLIENT.clientSecret) =>
    portal.save({ protocol: 'oidc', issuer: provider.issuer, clientId: CLIENT.clientId, clientSecret });

  it('signs its people in by OpenID Connect and Basic, with an id and a secret that have marks', async () => {
    await provider.configure({ client: { oidcRPMetaDataOptionsTokenEndpointAuthMethod: 'client_secret_basic' } });
    await saveOidc();
    const { end, test } = await portal.tryLogin();
    assert.equal(end, 'ok', JSON.stringify(test));
    assert.deepEqual([test.email, test.signatures[0].verdict], [OWNER, 'verified']);
  });

  it('refuses another secret: client_refused', async () => {
    await saveOidc('another secret');
    assert.equal((await portal.tryLogin()).end, 'client_refused');
  });

  it('signs its people in by SAML with our metadata, and checks our requests', async () => {
    await portal.save({ protocol: 'saml', metadataUrl: provider.metadataUrl });
    await provider.configure({ metadata: (await portal.service.call('GET', '/sso/acme/metadata')).text });
    const { end, test } = await portal.tryLogin();
    assert.equal(end, 'ok', JSON.stringify(test));
    assert.equal(test.email, OWNER);
  });

  it('logs people out of itself at our signed request', async () => {
    await portal.save({ protocol: 'saml', metadataUrl: provider.metadataUrl, logsOut: true });
    await provider.configure({ metadata: (await portal.service.call('GET', '/sso/acme/metadata')).text });
    assert.equal((await portal.tryLogin()).end, 'ok');
    const { browser, headers } = await portal.logIn();
    const { url } = (await portal.service.call('GET', '/auth/logout-address', { headers })).body;
    assert.equal((await portal.service.call('POST', '/auth/logout', { headers })).status, 204);
    const way = await portal.follow(browser, new URL(url));
    const answered = way.find((one) => one.searchParams.has('SAMLResponse'));
    const xml = inflateRawSync(Buffer.from(answered?.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
    assert.match(xml, /LogoutResponse.*status:Success/s);
    assert.equal(way.at(-1)?.href, `${SSO_BASE}/login`);
  });
});
