import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { startSystem } from '../harness/system.ts';
import { expect, expectAccessible, logIn, PEOPLE, SETTINGS, test as base } from './portal.ts';

const HOST = 'portal.northwind.test';

/** A service that asks a name server of this test. */
const test = base.extend<Record<never, never>, { dns: DnsServer }>({
  dns: [
    // oxlint-disable-next-line no-empty-pattern -- the library wants a pattern
    async ({}, use) => {
      const dns = await startDnsServer();
      await use(dns);
      await dns.close();
    },
    { scope: 'worker' },
  ],
  system: [
    async ({ dns }, use) => {
      const system = await startSystem({ args: [], env: { ...SETTINGS, CUSTOM_DOMAIN_RESOLVERS: dns.address } });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
test.use({
  launchOptions: {
    executablePath: readFileSync(join(import.meta.dirname, '../../node_modules/.chromium'), 'utf8').trim(),
    args: ['--disable-dev-shm-usage', '--renderer-process-limit=1', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  },
});

test('an agency proves its domain, and its clients log in there and see nothing but the agency', async ({
  as,
  api,
  address,
  dns,
  browser,
}) => {
  const { name } = await api.owner.getMyPartner();
  const page = await as('owner', '/dashboard/settings/domain');
  await page.getByLabel('Host name').pressSequentially(` ${HOST.toUpperCase()}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waiting for the record')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('There is no TXT record yet.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'dark');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'light');
  const { domain } = await api.owner.getMyDomain();
  dns.set(domain?.txtName ?? '', [domain?.txtValue ?? '']);
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('Your clients log in at')).toBeVisible();

  const context = await browser.newContext({ baseURL: `http://${HOST}:${new URL(address).port}` });
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
    expect(await visitor.locator('body').innerText()).not.toMatch(/Partner Portal/);
    await visitor.goto('/dashboard');
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(visitor.url()).host).toBe(`${HOST}:${new URL(address).port}`);
  } finally {
    await context.close();
  }
});
