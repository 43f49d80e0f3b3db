import { agent, at, test, testViews } from './pages.ts';
import { expect, expectGood, expectNoSidewaysScroll } from './portal.ts';

testViews('client', [
  at('/client'),
  at('/client/agents'),
  { name: 'an agent of the client', path: async (api) => `/client/agents/${await agent(api)}` },
  at('/client/activity'),
  at('/client/integrations'),
  at('/client/integrations?service=twilio'),
  at('/client/suggestions'),
  at('/client/business'),
  at('/client/settings'),
]);

test('an unknown address shows a client the branding of the agency and names no platform', async ({ as, api, complaints }) => {
  const { name } = await api.owner.getMyPartner();
  const page = await as('client', '/client/no-such-page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('banner').getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByText('Portal', { exact: true })).toHaveCount(0);
  await expect(page).toHaveTitle(`Page not found · ${name}`);
  await expectGood(page);
  complaints.all = complaints.all.filter((line) => !line.includes('404'));
});

test('a tablet and a small phone need no sideways scroll either', async ({ as }) => {
  const page = await as('client', '/client');
  for (const width of [320, 768, 1100]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible();
});
