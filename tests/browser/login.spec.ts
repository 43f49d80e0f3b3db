import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { expect, logIn, test, readAlone } from './portal.ts';

test('the banner above every page is shown with the first one and shifts nothing under a click', async ({ as, page }) => {
  await page.addInitScript(`
    globalThis.withoutBar = 0;
    const look = () => { if (document.querySelector('.shell') && !document.querySelector('[aria-label="Sandbox"]')) withoutBar += 1; };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  `);
  await as('owner', '/dashboard/settings/team');
  await expect(page.getByRole('complementary', { name: 'Sandbox' })).toBeVisible();
  expect(await page.evaluate('withoutBar')).toBe(0);
});

test('a browser remembers that there is no sandbox too, and asks for that before no later page', async ({ as, page }) => {
  await readAlone(page);
  await page.route('**/auth/me', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), sandbox: false } });
  });
  await as('owner', '/dashboard/settings/team');
  await expect.poll(() => page.evaluate(`localStorage.getItem('portal.sandbox')`)).toBe('off');
  // An answer that never comes holds up no page any more.
  await page.route('**/auth/me', () => undefined);
  await page.goto('/dashboard/settings/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Sandbox' })).toHaveCount(0);
});

test('the menu of the account offers to log out, and Esc closes it', async ({ as }) => {
  const page = await as('client', '/client');
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toHaveCount(0);
});

test('the token is in session storage and the Authorization header, and in no address or cookie', async ({
  page,
  complaints: _watched,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await page.goto('/login');
  await logIn(page, DEMO.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const token = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('portal.session')).accessToken`);
  expect(token.split('.')).toHaveLength(3);
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  const kept = await page.evaluate<string>('document.cookie + JSON.stringify(localStorage)');
  expect(kept).not.toContain(token);
  const cookies = await page.context().cookies(new URL('/auth/login', page.url()).href);
  expect(cookies.map(({ name, path, httpOnly, sameSite }) => ({ name, path, httpOnly, sameSite }))).toEqual([
    { name: 'known_device', path: '/auth', httpOnly: true, sameSite: 'Strict' },
  ]);
  expect(cookies.filter(({ value }) => value.includes(token))).toEqual([]);
});
