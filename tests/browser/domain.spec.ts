import type { Page } from '@playwright/test';
import { OWN_DOMAIN } from './own-domain.ts';
import { business } from './pages.ts';
import { expect, expectAccessible, logIn, PEOPLE, test } from './portal.ts';

test('an agency proves its domain, and its clients log in there and see nothing but the agency', async ({
  as,
  api,
  address,
  dns,
  browser,
}) => {
  const { name } = await api.owner.getMyPartner();
  const people = `/dashboard/clients/${await business(api)}?tab=people`;
  expect(await copiedPortalLink(await as('owner', people))).toBe(`${address}/login`);
  const page = await as('owner', '/dashboard/settings/domain');
  await page.getByLabel('Host name').pressSequentially(` ${OWN_DOMAIN.toUpperCase()}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waiting for the records')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('There is no TXT record yet.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'dark');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'light');
  const { domain } = await api.owner.getMyDomain();
  dns.set(domain?.txtName ?? '', [domain?.txtValue ?? '']);
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('the host has no address yet')).toBeVisible();
  await expectAccessible(page, 'light');
  expect(await copiedPortalLink(await as('owner', people))).toBe(`${address}/login`);
  dns.setAddress(OWN_DOMAIN, '127.0.0.1');
  await as('owner', '/dashboard/settings/domain');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('Your clients log in at')).toBeVisible();
  expect(await copiedPortalLink(await as('owner', people))).toBe(`https://${OWN_DOMAIN}/login`);

  const context = await browser.newContext({ baseURL: `http://${OWN_DOMAIN}:${new URL(address).port}` });
  const visitor = await context.newPage();
  try {
    const answer = await visitor.goto('/');
    expect(new URL(visitor.url()).pathname).toBe('/login');
    const html = (await answer?.text()) ?? '';
    expect(html).toContain(`<title>${name}</title>`);
    const manifest = /<link rel="manifest" href="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(await visitor.evaluate((path) => fetch(path).then((response) => response.json()), manifest)).toMatchObject({
      name,
      start_url: '/client?source=installed',
    });
    await expect(visitor.getByRole('banner').getByText(name)).toBeVisible();
    await expect(visitor.getByRole('button', { name: 'Use single sign-on' })).toHaveCount(0);
    await expect(visitor).toHaveTitle(`Log in · ${name}`);
    await expectAccessible(visitor, 'light');
    await logIn(visitor, PEOPLE.owner.email);
    await expect(visitor.getByRole('link', { name: 'Go to the login of your team' })).toHaveAttribute('href', `${address}/login`);
    await logIn(visitor, PEOPLE.client.email);
    await visitor.waitForURL((url) => url.pathname === '/client');
    await expect(visitor.getByRole('main')).toBeVisible();
    await expect(visitor).toHaveTitle(new RegExp(name));
    await expect(visitor.locator('meta[name="theme-color"][media]')).toHaveCount(2);
    await expect(visitor.locator('link[rel="manifest"]')).toHaveCount(1);
    expect(await visitor.locator('body').innerText()).not.toMatch(/^Portal$/m);
    await visitor.goto('/dashboard');
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(visitor.url()).host).toBe(`${OWN_DOMAIN}:${new URL(address).port}`);
    await expect(visitor.getByRole('contentinfo')).toHaveCount(0);
  } finally {
    await context.close();
    // Other tests read the mail and the pages of an agency without one.
    await api.owner.deleteMyDomain();
  }
});

async function copiedPortalLink(page: Page): Promise<unknown> {
  await page.evaluate('navigator.clipboard.writeText = async (text) => void (window.copied = text)');
  // The button says so for two seconds, which may be over before the next look.
  await page.evaluate(`
    window.labels = [];
    new MutationObserver(() => document.querySelectorAll('button').forEach((one) => labels.push(one.textContent)))
      .observe(document.body, { childList: true, subtree: true, characterData: true });
  `);
  await page.getByRole('button', { name: 'Copy portal link' }).click();
  await expect.poll(() => page.evaluate('labels')).toContain('Copied');
  return page.evaluate('window.copied');
}
