import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { dialog, field, fill, holds, open, press, screen, see, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

test('an agency whose plan has no single sign-on asks for one that has', async () => {
  const growth = sample(planRecord, { id: idOf(22), name: 'Growth', monthlyPriceMinor: 29_900, currency: 'USD', isActive: true });
  const billing = reply('getBilling');
  billing.subscription.terms.currency = 'USD';
  await open('owner', '/dashboard/settings/sso', { listPlans: [growth], getBilling: billing }, { sso: false });
  await see('Your plan does not include single sign-on');
  await user.click(await screen.findByRole('link', { name: 'Request a plan' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/billing/plan'));
  await screen.findByRole('radio', { name: /Growth/ });
});

const connected = (more: object) => ({
  ...reply('getSsoConnection'),
  id: idOf(1),
  configured: true,
  available: true,
  protocol: 'oidc' as const,
  status: 'verified' as const,
  callerSignedIn: true,
  issuer: 'https://idp.example',
  emailDomains: ['northwind.example'],
  loginUrl: 'https://portal.example/login?sso=northwind',
  ...more,
});

test('enforcing is offered with the way to turn it off again: a recent login through the provider, or support', async () => {
  await open('owner', '/dashboard/settings/sso', { getSsoConnection: connected({ enforced: false }) });
  await user.click(await screen.findByRole('switch', { name: 'Require single sign-on' }));
  const recently = new RegExp(`logged in through your provider in the last ${LIMITS.recentLoginMinutes} minutes`);
  await see(recently);
  await see(/If your provider fails, only support can/);
  await open('owner', '/dashboard/settings/sso', { getSsoConnection: connected({ enforced: true }) });
  await see(recently);
  await see(/client secret can be replaced meanwhile/);
});

test('while enforced the client secret can be replaced, and is asked for', async () => {
  const enforced = connected({ enforced: true });
  const service = await open('owner', '/dashboard/settings/sso', { getSsoConnection: enforced, replaceSsoSecret: enforced });
  await user.click(await screen.findByText('Replace the client secret'));
  await press('Replace secret');
  await see('Enter the new client secret.');
  assert.equal(service.sent('replaceSsoSecret').length, 0);
  await user.type(await field('New client secret'), 'the next one');
  await press('Replace secret');
  await holds(() => assert.deepEqual(service.sent('replaceSsoSecret'), [{ clientSecret: 'the next one' }]));
});

test('a provider that could not be read is described by what follows for its protocol', async () => {
  const metadataProblem = 'It answered 503.';
  await open('owner', '/dashboard/settings/sso', { getSsoConnection: connected({ metadataProblem }) });
  await see(/Logins fail while it cannot be read/);
  const saml = { protocol: 'saml', metadataUrl: 'https://idp.example/metadata', issuer: null, metadataProblem };
  await open('owner', '/dashboard/settings/sso', { getSsoConnection: connected(saml) });
  await see(/We keep using what we read before/);
});

test('a connection is saved and enforced as it was read: what another admin changed meanwhile is not written over', async () => {
  const updatedAt = '2026-11-20T09:00:00.000Z';
  const saved = connected({ enforced: false, updatedAt });
  const service = await open('owner', '/dashboard/settings/sso', {
    getSsoConnection: saved,
    putSsoConnection: saved,
    enforceSso: { ...saved, enforced: true },
  });
  await press('Change');
  await fill('Client ID', 'other');
  await press('Save connection');
  await see(/^Connection saved as a draft\./);
  await user.click(await screen.findByRole('switch', { name: 'Require single sign-on' }));
  await press('Enforce single sign-on', await dialog());
  await see(/^SSO enforced\./);
  for (const name of ['putSsoConnection', 'enforceSso'])
    assert.deepEqual(
      service.calls.filter((call) => call.name === name).map(({ headers }) => headers.get('if-match')),
      [`"${updatedAt}"`],
      name,
    );
});

test('a save on a page that was read before there was a connection matches none that exists', async () => {
  const saved = connected({ enforced: false, updatedAt: null });
  const service = await open('owner', '/dashboard/settings/sso', { getSsoConnection: saved, putSsoConnection: saved });
  await press('Change');
  await fill('Client ID', 'other');
  await press('Save connection');
  await see(/^Connection saved as a draft\./);
  const sent = service.calls.find(({ name }) => name === 'putSsoConnection');
  assert.equal(sent?.headers.get('if-match'), `"${new Date(0).toISOString()}"`);
});
