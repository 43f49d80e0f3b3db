import { DEMO } from '@house/service/quick-start/seed-workspace.ts';
import { expect, logIn, PEOPLE, test } from './portal.ts';

for (const [person, { email, home }] of Object.entries(PEOPLE)) {
  test(`${person} lands on ${home} after the login`, async ({ page, complaints: _watched }) => {
    await page.goto('/login');
    await logIn(page, email);
    await page.waitForURL((url) => url.pathname === home || url.pathname.startsWith(`${home}/`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('a wrong password is refused in words, and the form keeps what was typed', async ({ page, api: _ready }) => {
  await page.goto('/login');
  await logIn(page, DEMO.owner.email, 'not the password');
  await expect(page.getByRole('alert')).toContainText('E-mail or password is not right.');
  await expect(page.getByLabel('E-mail')).toHaveValue(DEMO.owner.email);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('a page asked for without a session comes back after the login', async ({ page, complaints: _watched }) => {
  await page.goto('/dashboard/runs');
  await page.waitForURL(/\/login\?next=/);
  await logIn(page, DEMO.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard/runs');
});

test('a page of another role leads to the own home', async ({ as }) => {
  const page = await as('client', '/admin/partners');
  await page.waitForURL((url) => url.pathname === '/client');
});

test('logging out ends the session', async ({ as }) => {
  const page = await as('client', '/client');
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toHaveCount(0);
});
