import { watchLoad } from '../harness/page-load.ts';
import { expect, logIn, PEOPLE, test } from './portal.ts';

test('the login loads 15 files at most, and less script than 120 KB', async ({ page, complaints: _watched }) => {
  const load = await watchLoad(page);
  await page.goto('/login');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.evaluate('document.fonts.ready');
  const { requests, scriptBytes } = load.read();
  expect(requests).toBeLessThanOrEqual(15);
  expect(scriptBytes).toBeLessThanOrEqual(120_000);
});

test('the shape of a page is painted before any script or stylesheet has come', async ({ page, api: _ready }) => {
  // What is held back never comes.
  await page.route(/\/assets\/.+\.(js|css)$/, () => undefined);
  for (const [path, shape] of [
    ['/login', 'login'],
    ['/dashboard/runs', 'work'],
    ['/client', 'client'],
  ]) {
    await page.goto(path ?? '', { waitUntil: 'commit' });
    await expect(page.locator(`#boot [data-face="${shape}"]`)).toBeVisible();
    await expect(page.locator('#boot > :visible')).toHaveCount(1);
  }
});

test('the first page after the login is opened in the same document', async ({ page, complaints: _watched }) => {
  await page.goto('/login');
  await page.evaluate('window.isSame = true');
  await logIn(page, PEOPLE.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(await page.evaluate('window.isSame')).toBe(true);
});
