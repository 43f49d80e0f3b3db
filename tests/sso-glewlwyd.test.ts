import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { whyNotTried } from './harness/debian-provider.ts';
import { type Glewlwyd, GLEWLWYD_PACKAGES, hasGlewlwyd, startGlewlwyd } from './harness/glewlwyd.ts';
import { SSO_BASE, type SsoService, startSsoService } from './harness/sso-service.ts';

const OWNER = 'owner@portal.test';
const CLIENT = { clientId: 'acme-portal', clientSecret: 'a-secret_of~the.tests' };
const skip = whyNotTried('Glewlwyd', GLEWLWYD_PACKAGES, hasGlewlwyd);

describe('Glewlwyd as Debian ships it', { skip }, () => {
  let provider: Glewlwyd;
  let portal: SsoService;

  before(async () => {
    provider = await startGlewlwyd({ ...CLIENT, redirectUri: `${SSO_BASE}/sso/acme/callback` }, { email: OWNER });
    portal = await startSsoService(provider.issuer);
  });
  after(async () => {
    await portal?.close();
    await provider?.close();
  });

  const save = (clientSecret = CLIENT.clientSecret) =>
    portal.save({ protocol: 'oidc', issuer: provider.issuer, clientId: CLIENT.clientId, clientSecret });
  const tryLogin = () => portal.tryLogin(provider.atLoginPage);

  it('signs its people in by Basic, its default, with an id and a secret that have marks', async () => {
    await save();
    const { end, test } = await tryLogin();
    assert.equal(end, 'ok', JSON.stringify(test));
    assert.deepEqual([test.email, test.signatures[0].verdict], [OWNER, 'verified']);
  });

  it('signs its people in by Basic with a secret that has to be encoded', async () => {
    const secret = 'a secret/with+every %sign';
    await provider.change({ client_secret: secret });
    await save(secret);
    const { end, test } = await tryLogin();
    assert.equal(end, 'ok', JSON.stringify(test));
  });

  it('signs its people in by POST where the client allows that only', async () => {
    await provider.change({ token_endpoint_auth_method: ['client_secret_post'] });
    await save();
    assert.equal((await tryLogin()).end, 'ok');
  });

  it('refuses another secret: client_refused', async () => {
    await save('another secret');
    assert.equal((await tryLogin()).end, 'client_refused');
  });
});
