import { navigate, test } from './pages.ts';
import { expect, expectGood, expectLoaded } from './portal.ts';

test('an agency looks as its client: unmissable, read-only, and back where it was', async ({ as, api }) => {
  const { id, name } = (await api.owner.listClients({ query: { q: 'Oak' } })).data[0] ?? { id: '', name: '' };
  const page = await as('owner', `/dashboard/clients/${id}`);
  await page.getByRole('button', { name: 'View as client' }).click();
  await page.getByLabel('Reason').fill('They asked why a text was not sent');
  await expectGood(page);
  await page.getByRole('button', { name: `View as ${name}` }).click();
  await page.waitForURL((url) => url.pathname === '/client');
  const bar = page.getByRole('complementary', { name: 'View as' });
  await expect(bar).toContainText(name);
  await expect(bar).toContainText('Read only');
  await expect(bar.getByRole('timer')).toContainText(/^(30:00|2\d:\d\d)/);
  await expectGood(page);
  for (const [path, gone] of [
    ['/client/business', 'Save changes'],
    ['/client/integrations', 'Use own key'],
    ['/client/suggestions', 'Ask'],
    ['/client/settings', 'Save profile'],
  ] as const) {
    await navigate(page, path);
    await expectLoaded(page);
    await expect(bar).toBeVisible();
    await expect(page.getByRole('button', { name: gone })).toHaveCount(0);
    await expect(page.getByRole('switch')).toHaveCount(0);
  }
  await bar.getByRole('button', { name: 'Exit view' }).click();
  await page.waitForURL((url) => url.pathname === `/dashboard/clients/${id}`);
  await expect(bar).toHaveCount(0);
});

test('staff look as an agency, which shows everything and changes nothing', async ({ as, api }) => {
  const { id, name } = (await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0] ?? { id: '', name: '' };
  const page = await as('staff', `/admin/partners/${id}`);
  await page.getByRole('button', { name: 'View as agency' }).click();
  await page.getByLabel('Reason').fill('A setup that failed');
  await page.getByRole('button', { name: `View as ${name}` }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  const bar = page.getByRole('complementary', { name: 'View as' });
  await expect(bar).toContainText(name);
  await expectGood(page);
  for (const path of [
    '/dashboard/clients',
    '/dashboard/agents',
    '/dashboard/integrations',
    '/dashboard/settings',
    '/dashboard/settings/security',
  ]) {
    await navigate(page, path);
    await expectLoaded(page);
    await expect(
      page.getByRole('button', { name: /^(Create|New|Add|Use own|Invite|Save|Set up|Log out everywhere|Replace|Change)\b/ }),
    ).toHaveCount(0);
    await expect(page.getByRole('switch')).toHaveCount(0);
  }
  await bar.getByRole('button', { name: 'Exit view' }).click();
  await page.waitForURL((url) => url.pathname === `/admin/partners/${id}`);
});
