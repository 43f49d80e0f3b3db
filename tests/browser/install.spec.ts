import { test } from './pages.ts';
import { expect } from './portal.ts';

test('the client portal offers itself to be installed with the manifest, icon and colours of the agency; that of the agency does not', async ({
  as,
  page,
}) => {
  await as('client', '/client');
  const head = page.locator('head');
  const manifest = head.locator('link[rel=manifest]');
  await expect(manifest).toHaveAttribute('href', /^\/manifest\.webmanifest\?agency=/);
  const { name, icons } = await (await page.request.get((await manifest.getAttribute('href')) ?? '')).json();
  expect(name).toBe(await agencyName());
  expect(icons).toHaveLength(3);
  const icon = await page.request.get((await head.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? '');
  expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png']);
  for (const scheme of ['light', 'dark'])
    await expect(head.locator(`meta[name=theme-color][media="(prefers-color-scheme: ${scheme})"]`)).toHaveAttribute(
      'content',
      /^#[0-9a-f]{6}$/,
    );

  await as('owner', '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(manifest).toHaveCount(0);

  async function agencyName(): Promise<string> {
    const session = await page.evaluate(() => sessionStorage.getItem('portal.session'));
    const { accessToken } = JSON.parse(session ?? '{}');
    const me = await page.request.get('/auth/me', { headers: { authorization: `Bearer ${accessToken}` } });
    return (await me.json()).partner.name;
  }
});
